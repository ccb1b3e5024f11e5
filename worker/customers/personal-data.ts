/**
 * Deletes staff notes about a customer together with their account. The notes are not exported, because they belong to
 * the staff, but the export says how to ask for them. Records that were assigned to the account become unassigned.
 */
import { eq } from 'drizzle-orm';
import { linkTo } from '#contract/screens.ts';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { isCustomer } from '../orders/customers.ts';
import { customers } from '../orders/schema.ts';
import { deleteNotes } from '../notes/notes.ts';
import { assignments, staffNotes } from '../notes/schema.ts';

export const customersOfPerson: PersonalRecords = {
  export: (_db, _account, { SITE_URL }) =>
    Promise.resolve({
      staffNotes: `This file does not include our internal notes about your orders and messages. To ask for those about you, write to us: ${SITE_URL}${linkTo('contact')}`,
    }),
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
