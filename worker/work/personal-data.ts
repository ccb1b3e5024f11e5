/** What somebody has written for the work on their orders: exported with their data, deleted with their account. */
import { asc, eq, inArray, or } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether } from '../db/client.ts';
import { orders } from '../orders/schema.ts';
import { orderBriefs } from './schema.ts';

/** The briefs of a person. Their orders are known by the account, so this comes before the orders forget it. */
export const workOfPerson: PersonalRecords = {
  export: async (db, { id }) => {
    const [briefs, questions] = await readTogether(db, [
      db.select().from(orderBriefs).where(eq(orderBriefs.accountId, id)).orderBy(asc(orderBriefs.orderId)),
      db
        .select({ _id: contentTables.briefQuestion._id, question: contentTables.briefQuestion.question })
        .from(contentTables.briefQuestion),
    ]);
    return {
      briefs: briefs.map(({ orderId, answers, asked, sentAt }) => {
        const texts = new Map((asked ?? questions).map(({ _id, question }) => [_id, question]));
        return {
          orderId,
          sentAt: sentAt === null ? null : new Date(sentAt).toISOString(),
          answers: Object.entries(answers).map(([_id, answer]) => ({
            question: texts.get(_id) ?? 'A question that is not asked any more',
            answer,
          })),
        };
      }),
    };
  },
  forget: (db, { id }) => [
    db
      .delete(orderBriefs)
      .where(
        or(
          eq(orderBriefs.accountId, id),
          inArray(
            orderBriefs.orderId,
            db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, id)),
          ),
        ),
      ),
  ],
};
