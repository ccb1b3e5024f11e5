/** What somebody has written for the work on their orders: exported with their data, deleted with their account. */
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import type { Account } from '#contract/accounts.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { isTheirOrder } from '../orders/personal-data.ts';
import { orderEvents, orders } from '../orders/schema.ts';
import { orderBriefs, orderSteps } from './schema.ts';

async function exportWork(db: Database, { id }: Account) {
  const [briefs, questions, steps] = await readTogether(db, [
    db.select().from(orderBriefs).where(eq(orderBriefs.accountId, id)).orderBy(asc(orderBriefs.orderId)),
    db
      .select({ _id: contentTables.briefQuestion._id, question: contentTables.briefQuestion.question })
      .from(contentTables.briefQuestion),
    db
      .select({ step: orderSteps })
      .from(orderSteps)
      .innerJoin(orders, eq(orders._id, orderSteps.orderId))
      .where(eq(orders.accountId, id))
      .orderBy(asc(orderSteps.orderId), asc(orderSteps.position)),
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
    planSteps: steps.map(({ step: { orderId, title, dueDay, plannedDay, state, note, request } }) => ({
      orderId,
      title,
      dueDay,
      plannedDay,
      state,
      note,
      request,
    })),
  };
}

/** The statements that leave of the work what was done when, and nothing that anyone wrote. */
function forgetWork(db: Database, account: Account): Statement[] {
  const { id } = account;
  const theirOrders = db.select({ _id: orders._id }).from(orders).where(isTheirOrder(account));
  return [
    db
      .delete(orderBriefs)
      .where(or(eq(orderBriefs.accountId, id), inArray(orderBriefs.orderId, theirOrders))),
    db.update(orderSteps).set({ note: '', request: '' }).where(inArray(orderSteps.orderId, theirOrders)),
    db.update(orderSteps).set({ doneBy: '' }).where(eq(orderSteps.doneBy, id)),
    db
      .update(orderEvents)
      .set({ after: sql`json_remove(${orderEvents.after}, '$.note')` })
      .where(
        and(
          inArray(orderEvents.orderId, theirOrders),
          inArray(orderEvents.kind, ['stepDone', 'stepSentBack']),
        ),
      ),
  ];
}

/** The work for a person. Their orders are known by the account, so this comes before the orders forget it. */
export const workOfPerson: PersonalRecords = { export: exportWork, forget: forgetWork };
