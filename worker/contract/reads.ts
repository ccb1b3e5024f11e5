/**
 * What the rendering of a page reads of the content: a save renders the pages anew that read what it changes. The
 * Worker hands the content out, and the compiled pages read it; this is what both know of it.
 */
import {
  sectionNamed,
  type PublicContent,
  type PublicSectionName,
  type SectionName,
} from './sections/index.ts';

/** By section, the fields that were read of its records; none of them when only its list was looked at. */
export type Reads = ReadonlyMap<SectionName, ReadonlySet<string>>;

interface RecordState {
  readonly position: number;
  readonly values: Readonly<Record<string, string>>;
}

interface Change {
  readonly section: SectionName;
  readonly before: RecordState | undefined;
  readonly after: RecordState | undefined;
}

/** Whether a page that read this may look different after the change of a record. */
export function mayChange(reads: Reads, { section, before, after }: Change): boolean {
  const fields = reads.get(section);
  if (!fields) return false;
  if (!before || !after || before.position !== after.position) return true;
  return Array.from(fields).some((field) => before.values[field] !== after.values[field]);
}

/** The Worker and the compiled pages are bundled apart, so they share no variable. */
const wholeLists = Symbol.for('content of whole lists');

/** The content as one that notes what is read of it, field by field. */
export function recordReads(content: PublicContent): { content: PublicContent; reads: Reads } {
  const reads = new Map<SectionName, Set<string>>();
  const fieldsOf = (name: SectionName): Set<string> => {
    const fields = reads.get(name) ?? new Set();
    reads.set(name, fields);
    return fields;
  };
  const recordsOf = (name: PublicSectionName) => {
    const fields = fieldsOf(name);
    const get = (record: object, field: string | symbol): unknown => {
      fields.add(String(field));
      return Reflect.get(record, field);
    };
    return content[name].map((record: object) => new Proxy(record, { get }));
  };
  const listOf = (name: PublicSectionName) => {
    const fields = fieldsOf(name);
    for (const field of Object.keys(sectionNamed(name).fields)) fields.add(field);
    return content[name];
  };
  const readBy = (read: (name: PublicSectionName) => unknown, others: object) =>
    new Proxy(content, {
      get: (_, name): unknown =>
        Object.hasOwn(content, name) ? read(name as PublicSectionName) : Reflect.get(others, name),
    });
  const recording = readBy(recordsOf, { [wholeLists]: readBy(listOf, {}) });
  return { content: recording, reads };
}

/**
 * The content for a reader that knows lists again by their identity: they are the stored ones, and to take one counts
 * as reading every field of its records.
 */
export const inWholeLists = <C extends object>(content: C): C =>
  (content as { [wholeLists]?: C })[wholeLists] ?? content;
