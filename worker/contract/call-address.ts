/** The calls that a browser may name, and their addresses. */
import type { Calls } from './all-calls.ts';
import { splitCallName, type CallName } from './call.ts';
import { fillPath } from './route-pattern.ts';
import type { SectionCallName, SectionVerb } from './section-calls.ts';

/** Every call that a browser may name: one of the table, or one that `sectionCalls` gives. */
export type KnownCall = (keyof Calls & CallName) | SectionCallName<SectionVerb>;

/** The address of a call on this origin. @param id what stands for `:id` or `:revision`, or for both ids */
export function callAddress(name: KnownCall, id?: string | readonly string[]): string {
  const [, path] = splitCallName(name);
  return `/api${id === undefined ? path : fillPath(path, id)}`;
}
