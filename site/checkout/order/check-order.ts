/** Validates the order form. Loaded on demand, because the schema library is larger than the form. */
import { newAccount } from '#contract/accounts.ts';
import { newOrder, type NewOrder } from '#contract/orders.calls.ts';
import { fieldErrorsOf, type FieldErrors } from '#contract/problem.ts';
import type { NewAccount } from './account-fields.tsx';

const customerFields = newOrder.pick({
  customerName: true,
  customerAddress: true,
  customerCountry: true,
  customerCompany: true,
  customerTaxNumber: true,
  receiptCopyEmail: true,
  couponCode: true,
});

/** @param account the new account of a visitor; undefined for a signed-in customer */
export const checkOrder = (details: Partial<NewOrder>, account: NewAccount | undefined): FieldErrors => ({
  ...(account && fieldErrorsOf(newAccount.safeParse(account))),
  ...fieldErrorsOf(customerFields.safeParse(details)),
});
