/** The names of the calls of a section, derived from its literal. */
import type { CallName } from './call.ts';
import { sectionNamed, type SectionName } from './sections/index.ts';

/** What callers can do with the records of a section. The specification has no calls to remove and reorder records. */
export type SectionVerb = 'list' | 'add' | 'read' | 'update' | 'remove' | 'reorder';

export interface ContentRecord {
  readonly _id: string;
  readonly [field: string]: string;
}

/** The name of a section's call. The type parameter says what the call does. */
export type SectionCallName<V extends SectionVerb> = CallName & { readonly verb: V };

export function sectionCalls(name: SectionName): { readonly [V in SectionVerb]?: SectionCallName<V> } {
  const { api, kind, newestBy } = sectionNamed(name);
  const names: Partial<Record<SectionVerb, CallName>> = {
    list: `GET ${api.list}`,
    ...(api.add && { add: `POST ${api.add}` }),
    read: `GET ${api.read}`,
    update: `PUT ${api.update ?? api.read}`,
    ...(kind !== 'fixed' && { remove: `DELETE ${api.read}` }),
    // A list cannot be reordered if it has no add form or is sorted by a field.
    ...(kind === 'list' && api.add && newestBy === undefined && { reorder: `PUT ${api.list}` }),
  };
  return names as { readonly [V in SectionVerb]?: SectionCallName<V> };
}
