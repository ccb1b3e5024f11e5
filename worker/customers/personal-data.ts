/**
 * The staff's notes about a customer are deleted with their account. They are not exported, because they belong to the
 * staff. Records that were assigned to the account are assigned to nobody afterward.
 */
import { and, eq, inArray } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { isCustomer } from '../orders/customers.ts';
import { customers, orders } from '../orders/schema.ts';
import { forgetNotes } from '../notes/notes.ts';
import { assignments, staffNotes } from '../notes/schema.ts';

export const customersOfPerson: PersonalRecords = {
  // The orders already belong to the account at this point. Notes about a customer without an account name their first
  // order.
  claim: async (db, { id }) => {
    const theirs = db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, id));
    await db
      .update(staffNotes)
      .set({ recordId: id })
      .where(and(eq(staffNotes.kind, 'customer'), inArray(staffNotes.recordId, theirs)));
  },
  export: () => Promise.resolve({}),
  sweep: (db, isGone) => [
    db.delete(staffNotes).where(and(eq(staffNotes.kind, 'customer'), isGone(staffNotes.recordId))),
  ],
  forget: (db, account) => [
    forgetNotes(db, 'customer', db.select({ _id: customers._id }).from(customers).where(isCustomer(account))),
    db.delete(customers).where(isCustomer(account)),
    db
      .update(staffNotes)
      .set({ accountId: '', idempotencyKey: null })
      .where(eq(staffNotes.accountId, account.id)),
    db.delete(assignments).where(eq(assignments.accountId, account.id)),
  ],
};
