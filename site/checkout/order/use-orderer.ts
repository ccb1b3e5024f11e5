/**
 * Who orders. A stranger signs up by the first press of the button, and is signed in from then on, whatever becomes of
 * the order.
 */
import { useState } from 'react';
import { newAccount } from '#contract/accounts.ts';
import { fieldErrorsOf, type FieldErrors } from '#contract/problem.ts';
import { api } from '#site/app/call.ts';
import type { NewAccount } from './account-fields.tsx';

/** @param known the email of the account that is signed in; undefined for a stranger */
export function useOrderer(known: string | undefined) {
  const [email, setEmail] = useState(known);

  /** What is wrong with the account that a stranger makes, by field. */
  const accountErrors = (account: NewAccount): FieldErrors =>
    email === undefined ? fieldErrorsOf(newAccount.safeParse(account)) : {};

  /** @returns the email that the order belongs to */
  async function signUp(account: NewAccount): Promise<string> {
    if (email !== undefined) return email;
    // Where the link of the verification mail leads to.
    const next = location.pathname;
    const { data } = await api('POST /auth/register', { body: { ...account, next } });
    const made = data.account?.email ?? account.email;
    setEmail(made);
    return made;
  }

  return { email, accountErrors, signUp };
}
