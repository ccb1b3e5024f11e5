/**
 * The account of the order. A visitor without an account signs up with the first click on the button, and then
 * stays signed in, even if the order fails.
 */
import { useState } from 'react';
import { newAccount } from '#contract/accounts.ts';
import { fieldErrorsOf, type FieldErrors } from '#contract/problem.ts';
import { api } from '#site/app/call.ts';
import type { NewAccount } from './account-fields.tsx';

/** @param known the email of the signed-in account; undefined for a visitor */
export function useOrderer(known: string | undefined) {
  const [email, setEmail] = useState(known);

  /** The errors of a visitor's new account, by field. */
  const accountErrors = (account: NewAccount): FieldErrors =>
    email === undefined ? fieldErrorsOf(newAccount.safeParse(account)) : {};

  /** @returns the email that the order belongs to */
  async function signUp(account: NewAccount): Promise<string> {
    if (email !== undefined) return email;
    // The page that the link in the verification email opens.
    const next = location.pathname;
    const { data } = await api('POST /auth/register', { body: { ...account, next } });
    const made = data.account?.email ?? account.email;
    setEmail(made);
    // The header now shows the links of an account, as it does after a reload.
    document.documentElement.dataset['signedIn'] = 'customer';
    return made;
  }

  return { email, accountErrors, signUp };
}
