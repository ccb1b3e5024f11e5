/** Notes about a customer are deleted with their account. They are not exported, because they are the staff's own. */
import { eq, inArray } from 'drizzle-orm';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { isCustomer } from '../orders/customers.ts';
import { customers, orders } from '../orders/schema.ts';
import { customerNotes } from './schema.ts';

export const customersOfPerson: PersonalRecords = {
  // The orders belong to the account by now. Notes about a customer without an account name their first order.
  claim: async (db, { id }) => {
    const theirs = db.select({ _id: orders._id }).from(orders).where(eq(orders.accountId, id));
    await db.update(customerNotes).set({ customerId: id }).where(inArray(customerNotes.customerId, theirs));
  },
  export: () => Promise.resolve({}),
  sweep: (db, isGone) => [db.delete(customerNotes).where(isGone(customerNotes.customerId))],
  forget: (db, account) => [
    db
      .delete(customerNotes)
      .where(
        inArray(
          customerNotes.customerId,
          db.select({ _id: customers._id }).from(customers).where(isCustomer(account)),
        ),
      ),
    db.delete(customers).where(isCustomer(account)),
    db
      .update(customerNotes)
      .set({ accountId: '', idempotencyKey: null })
      .where(eq(customerNotes.accountId, account.id)),
  ],
};
