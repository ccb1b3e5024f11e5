/** A person's answers and plan steps: exported with their data, erased with their account. */
import { and, asc, eq, inArray, or, sql } from 'drizzle-orm';
import type { Person, PersonalRecords } from '../accounts/personal-data.ts';
import type { Account } from '#contract/accounts.ts';
import { withName } from '../db/firm-name.ts';
import { orderFiles } from './conversation-schema.ts';
import { contentTables } from '../db/content-tables.ts';
import { readTogether, type Database, type Statement } from '../db/client.ts';
import { dayOf, type Env } from '../env.ts';
import { ordersOwnedBy, theirOrders } from '../orders/personal-data.ts';
import { orderEvents, orders } from '../orders/schema.ts';
import { momentOf } from '../http/clock.ts';
import { toPlanStep } from './plan-step.ts';
import { orderBriefs, orderSteps } from './plan-schema.ts';

async function exportWork(db: Database, { id }: Account, env: Env) {
  const [briefs, questions, steps, files] = await readTogether(db, [
    db.select().from(orderBriefs).where(eq(orderBriefs.accountId, id)).orderBy(asc(orderBriefs.orderId)),
    db
      .select({
        _id: contentTables.briefQuestion._id,
        question: withName(contentTables.briefQuestion.question),
      })
      .from(contentTables.briefQuestion),
    db
      .select({ step: orderSteps })
      .from(orderSteps)
      .innerJoin(orders, eq(orders._id, orderSteps.orderId))
      .where(eq(orders.accountId, id))
      .orderBy(asc(orderSteps.orderId), asc(orderSteps.position)),
    db
      .select()
      .from(orderFiles)
      .where(inArray(orderFiles.orderId, ordersOwnedBy(db, id))),
  ]);
  const today = dayOf(env, Date.now());
  return {
    briefs: briefs.map(({ orderId, answers, asked, sentAt }) => {
      const texts = new Map([...questions, ...(asked ?? [])].map(({ _id, question }) => [_id, question]));
      return {
        orderId,
        sentAt: momentOf(sentAt),
        answers: Object.entries(answers).map(([_id, answer]) => ({
          question: texts.get(_id) ?? 'A question that we no longer ask',
          answer,
        })),
      };
    }),
    planSteps: steps.map(({ step }) => ({ orderId: step.orderId, ...toPlanStep(env, step, files, today) })),
  };
}

/** The statements that erase all text about the work. They keep what was done and when. */
function forgetWork(db: Database, account: Person): Statement[] {
  const { id } = account;
  const ids = theirOrders(db, account);
  return [
    db.delete(orderBriefs).where(or(eq(orderBriefs.accountId, id), inArray(orderBriefs.orderId, ids))),
    db
      .update(orderSteps)
      .set({ note: '', request: '', requestedAt: null })
      .where(inArray(orderSteps.orderId, ids)),
    // No one is left to approve the steps.
    db
      .update(orderSteps)
      .set({ state: 'done' })
      .where(and(eq(orderSteps.state, 'waiting'), inArray(orderSteps.orderId, ids))),
    db.update(orderSteps).set({ doneBy: '' }).where(eq(orderSteps.doneBy, id)),
    db
      .update(orderEvents)
      .set({ after: sql`json_remove(${orderEvents.after}, '$.note')` })
      .where(and(inArray(orderEvents.orderId, ids), inArray(orderEvents.kind, ['stepDone', 'stepSentBack']))),
  ];
}

/** A person's work. It finds their orders by account, so it must run before the orders lose their account. */
export const workOfPerson: PersonalRecords = { export: exportWork, forget: forgetWork };
