/** Addresses of calls, for tests that cover the whole contract. */
import { splitCallName, type CallName } from '#contract/call.ts';
import { allCalls, type ListedCall } from '#contract/all-calls.ts';
import { fillPath } from '#contract/route-pattern.ts';

/** A call's path with its id filled in. */
export const callPath = (path: string, id?: string | readonly string[]): string =>
  `/api${id === undefined ? path : fillPath(path, id)}`;

export const addressOf = (name: CallName, id?: string | readonly string[]): string =>
  callPath(splitCallName(name)[1], id);

export function callNamed(name: CallName): ListedCall {
  const call = allCalls.find((listed) => listed.name === name);
  if (!call) throw new Error(`There is no call ${name}.`);
  return call;
}
