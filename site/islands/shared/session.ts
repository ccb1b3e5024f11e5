/** Who is signed in, and leaving. */
import { linkTo } from '../../../worker/contract/screens.ts';
import { makeCall } from './call.ts';

export const readSession = async (signal?: AbortSignal) =>
  (await makeCall('GET /auth/session', signal && { signal })).data.account;

/** Signs out and goes to the site. */
export async function signOut(): Promise<void> {
  await makeCall('POST /auth/logout');
  location.assign(linkTo('home'));
}
