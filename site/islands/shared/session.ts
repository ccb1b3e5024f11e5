/** Who is signed in, and leaving. */
import { calls } from '../../../worker/contract/calls.ts';
import type { SessionAnswer } from '../../../worker/contract/accounts.ts';
import { makeCall } from './call.ts';

export const readSession = async (signal?: AbortSignal) =>
  (await makeCall<SessionAnswer>(calls.session, signal && { signal })).data.account;

/** Signs out and goes to the site. */
export async function signOut(): Promise<void> {
  await makeCall(calls.logout);
  location.assign('/');
}
