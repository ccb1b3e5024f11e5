/** A customer's record is deleted with their account. It is not exported, because the notes are the staff's own. */
import { eq, inArray } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { forgetCustomer } from '../orders/customers.ts';
import { orders } from '../orders/schema.ts';
import { customerNotes } from './schema.ts';

export const customersOfPerson: PersonalRecords = {
  // The orders are the account's by then: notes on somebody without an account name their first order.
  claim: async (db, { id }) => {
    const theirs = db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, id));
    await db.update(customerNotes).set({ customerId: id }).where(inArray(customerNotes.customerId, theirs));
  },
  export: () => Promise.resolve({}),
  sweep: (db, isGone) => [db.delete(customerNotes).where(isGone(customerNotes.customerId))],
  forget: (db, { id }) => [
    ...forgetCustomer(db, id),
    db.delete(customerNotes).where(eq(customerNotes.customerId, id)),
    db
      .update(customerNotes)
      .set({ accountId: '', idempotencyKey: null })
      .where(eq(customerNotes.accountId, id)),
  ],
};
