import type { Calls } from './all-calls.ts';
import { splitCallName, type CallName } from './call.ts';
import { fillPath } from './route-pattern.ts';
import type { SectionCallName, SectionVerb } from './section-calls.ts';

/** Every call that a browser can make: one in the table, or one that `sectionCalls` returns. */
export type KnownCall = (keyof Calls & CallName) | SectionCallName<SectionVerb>;

/** The address of a call on this origin. @param id the value of `:id` or `:revision`, or both ids */
export function callAddress(name: KnownCall, id?: string | readonly string[]): string {
  const [, path] = splitCallName(name);
  return `/api${id === undefined ? path : fillPath(path, id)}`;
}
