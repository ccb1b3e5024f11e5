/** Who is signed in, and leaving. */
import { linkTo } from '#contract/screens.ts';
import { api } from './call.ts';
import { forgetTyped } from './use-session-fields.ts';

export const readSession = async (signal?: AbortSignal) =>
  (await api('GET /auth/session', signal && { signal })).data.account;

/** How long the next page may take to come before this one is taken for one that somebody stays on, in ms. */
const leavingMs = 5_000;

/** Signs out and goes to the site, unless somebody stays whom the browser asks about what is not saved; they can sign out again. */
export async function signOut(): Promise<void> {
  await api('POST /auth/logout');
  forgetTyped();
  location.assign(linkTo('home'));
  await new Promise((resolve) => setTimeout(resolve, leavingMs));
}
