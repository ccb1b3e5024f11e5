/**
 * The staff's notes about a customer are deleted with their account. They are not exported, because they belong to
 * the staff. Records that were assigned to the account become unassigned.
 */
import { eq } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { isCustomer } from '../orders/customers.ts';
import { customers } from '../orders/schema.ts';
import { deleteNotes } from '../notes/notes.ts';
import { assignments, staffNotes } from '../notes/schema.ts';

export const customersOfPerson: PersonalRecords = {
  export: () => Promise.resolve({}),
  forget: (db, account) => [
    deleteNotes(db, 'customer', db.select({ _id: customers._id }).from(customers).where(isCustomer(account))),
    db.delete(customers).where(isCustomer(account)),
    db
      .update(staffNotes)
      .set({ accountId: '', idempotencyKey: null })
      .where(eq(staffNotes.accountId, account.id)),
    db.delete(assignments).where(eq(assignments.accountId, account.id)),
  ],
};
