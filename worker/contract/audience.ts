/** Who may see a page and make a call, decided in one place. */
import type { Account } from './accounts.ts';

/** `account`: anyone signed in. `administrator`: a verified account with an Admin record. */
export type Audience = 'anyone' | 'account' | 'administrator';

/** Whether somebody belongs to an audience. */
export const may = (account: Pick<Account, 'isAdmin'> | undefined, audience: Audience): boolean =>
  audience === 'anyone' || (account !== undefined && (audience === 'account' || account.isAdmin));
