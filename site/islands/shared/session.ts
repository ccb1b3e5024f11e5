/** Who is signed in, and leaving. */
import { linkTo } from '#contract/screens.ts';
import { makeCall } from './call.ts';
import { forgetTyped } from './use-kept-fields.ts';

export const readSession = async (signal?: AbortSignal) =>
  (await makeCall('GET /auth/session', signal && { signal })).data.account;

/** Signs out and goes to the site. On success the promise never settles, because the next page takes over. */
export async function signOut(): Promise<never> {
  await makeCall('POST /auth/logout');
  forgetTyped();
  location.assign(linkTo('home'));
  return new Promise(() => undefined);
}
