/** A customer's record is deleted with their account. It is not exported, because the notes are the staff's own. */
import { eq } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { forgetCustomer } from '../orders/customers.ts';
import { customerNotes } from './schema.ts';

export const customersOfPerson: PersonalRecords = {
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
