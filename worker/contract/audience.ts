/** Who may see a page and make a call, decided in one place. */
import type { Account } from './accounts.ts';

/** `account`: anyone signed in. `administrator`: a verified account with an Admin record. */
export type Audience = 'anyone' | 'account' | 'administrator';

/** What of an account decides; undefined for somebody who is not signed in. */
type Caller = Pick<Account, 'isAdmin'> | undefined;

const belongs: Readonly<Record<Audience, (caller: Caller) => boolean>> = {
  anyone: () => true,
  account: (caller) => caller !== undefined,
  administrator: (caller) => caller?.isAdmin === true,
};

/** Whether somebody belongs to an audience. */
export const may = (caller: Caller, audience: Audience): boolean => belongs[audience](caller);
