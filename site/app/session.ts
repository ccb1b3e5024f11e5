/** Reads who is signed in, and signs out. */
import { linkTo } from '#contract/screens.ts';
import { api } from './call.ts';
import { forgetTyped } from './use-session-fields.ts';

export const readSession = async (signal?: AbortSignal) =>
  (await api('GET /auth/session', signal && { signal })).data.account;

/** How long the next page may take to appear, in ms. After that, the user has stayed on this page. */
const leavingMs = 5_000;

/** Signs out and opens the public site. Users who stay because of unsaved text can sign out again. */
export async function signOut(): Promise<void> {
  await api('POST /auth/logout');
  forgetTyped();
  location.assign(linkTo('home'));
  await new Promise((resolve) => setTimeout(resolve, leavingMs));
}
