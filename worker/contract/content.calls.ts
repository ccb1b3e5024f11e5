/** The calls of the sections, derived from the registry, and those on history and publications. */
import * as z from 'zod';
import type { Audience } from './audience.ts';
import { usualBodyBytes, type Call, type CallName, type CallTable, type Output } from './call.ts';
import { addSchema, updateSchema } from './fields.ts';
import { changeActions } from './history.ts';
import { sectionCalls, type ContentRecord, type SectionVerb } from './section-calls.ts';
import { titleInText, type Section } from './section.ts';
import {
  isShown,
  sectionNamed,
  sectionNames,
  type RecordOf,
  type SectionName,
  type Sections,
} from './sections/index.ts';
import { id, moment, pageQuery, reordering, values } from './schemas.ts';

const fieldValues = values.nullable();

export const historyEntry = z.strictObject({
  /** Counts the record's saves, from 1. */
  version: z.int(),
  action: z.enum(changeActions),
  at: moment,
  /** Email of the administrator, or `deletedAccount`; null for what the site was set up with. */
  by: z.string().nullable(),
  /** The values before; null where the record was not there. */
  before: fieldValues,
  /** The values after; null where the record was removed. */
  after: fieldValues,
});
export type HistoryEntry = Output<typeof historyEntry>;

const sectionName = z.enum(sectionNames);

/** What a publication did to one record. */
export const publishedChange = z.strictObject({
  section: sectionName,
  recordId: id,
  /** Value of the record's title field. */
  title: z.string(),
  action: z.enum(changeActions),
  /** The fields whose values differ. */
  changes: z.array(z.strictObject({ field: z.string(), before: z.string(), after: z.string() })),
});
export type PublishedChange = Output<typeof publishedChange>;

/** A record that was removed and can be put back: by restoring the version that it had. */
export const removedRecord = z.strictObject({
  section: sectionName,
  recordId: id,
  title: z.string(),
  version: z.int(),
  at: moment,
  by: z.string().nullable(),
});
export type RemovedRecord = Output<typeof removedRecord>;

/** What an edit would do. */
export const rehearsal = z.strictObject({
  /** The revision that it would be done to: its ETag for `If-Match`. */
  revision: z.int(),
  changes: z.array(publishedChange),
  /** The pages whose bytes would change, and by which of the changed sections. */
  pages: z.array(z.strictObject({ path: z.string(), sections: z.array(sectionName) })),
});
export type DryRun = Output<typeof rehearsal>;

const milliseconds = z.number().nullable();

/**
 * What each part of a save took, in ms; null where it was not measured. Reading takes 0 when memory had the content.
 * On Cloudflare a clock stands still while code runs, so rendering counts there with the write that follows it
 * (https://developers.cloudflare.com/workers/reference/security-model/#step-1-disallow-timers-and-multi-threading).
 */
export const timings = z.strictObject({
  readMs: milliseconds,
  renderMs: milliseconds,
  writeMs: milliseconds,
});
export type Timings = Output<typeof timings>;

/** One save of content. */
export const publication = z.strictObject({
  revision: z.int(),
  at: moment,
  by: z.string().nullable(),
  summary: z.array(publishedChange),
  /** Paths of the pages whose bytes changed. */
  changedPages: z.array(z.string()),
  timings,
});
export type Publication = Output<typeof publication>;

/** A record of any section: its id and its fields. */
const anyRecord = z.looseObject({ _id: id }) as z.ZodType<ContentRecord>;

export const publishingCalls = {
  'GET /publication': {
    about: 'What is live: the revision and its pages.',
    who: 'content',
    answer: z.strictObject({
      revision: z.int(),
      buildId: z.string(),
      publishedAt: moment.nullable(),
      publishedBy: z.string().nullable(),
      pages: z.array(z.strictObject({ path: z.string(), bytes: z.int(), etag: z.string() })),
    }),
  },
  'GET /publications': {
    about: 'The last 50 saves of content, newest first.',
    who: 'content',
    answer: z.array(publication),
  },
} as const satisfies CallTable;

export const historyCalls = {
  'GET /content': {
    about:
      'Every record that visitors see, by section, as it is live or as it will be with a release published.',
    who: 'content',
    query: z.strictObject({ release: id.optional() }),
    answer: z.record(z.enum(sectionNames.filter(isShown)), z.array(anyRecord)),
    problems: [404],
  },
  'POST /publications/:revision/go-back': {
    about:
      'Brings the whole content back to how it stood at a revision; itself a save. `If-Match` names the revision that is live and was looked at.',
    who: 'content',
    headers: ['If-Match'],
    answer: z.strictObject({ revision: z.int() }),
    status: 200,
    problems: [409, 412, 422],
  },
  'GET /publications/:revision/go-back': {
    about: 'What bringing the content back to how it stood at a revision would change.',
    who: 'content',
    answer: rehearsal,
  },
  'GET /removed-records': {
    about: 'The records that were removed in the last 30 days, newest first.',
    who: 'content',
    query: pageQuery,
    answer: z.array(removedRecord),
  },
  'GET /history/:id': {
    about: 'The versions of a record, newest first.',
    who: 'content',
    query: pageQuery,
    answer: z.array(historyEntry),
  },
  'POST /history/:id/restore': {
    about:
      'Restores a record to one of its versions; itself a save. `If-Match` names the version that is restored over, of a removed record its last.',
    who: 'content',
    headers: ['If-Match'],
    body: z.strictObject({ version: z.int().min(1) }),
    answer: anyRecord,
    status: 200,
    problems: [409, 412],
  },
} as const satisfies CallTable;

/** Fields longer than the usual ones have room of their own, at the four bytes that a character may take. */
const bodyLimit = ({ fields }: Section): number =>
  Object.values(fields).reduce((sum, { maxLength = 0 }) => sum + 4 * maxLength, usualBodyBytes);

/** What the values of a record of any section take at most, in bytes. */
export const largestBodyBytes = Math.max(...sectionNames.map((name) => bodyLimit(sectionNamed(name))));

function entryOf(name: SectionName, verb: SectionVerb): Call {
  const section = sectionNamed(name);
  const title = titleInText(section);
  const fields = Object.keys(section.fields).map((field): [string, z.ZodString] => [field, z.string()]);
  const record = z.strictObject({ _id: id, ...Object.fromEntries(fields) });
  const reader: Audience = section.read ?? 'anyone';
  switch (verb) {
    case 'list':
      return { about: `Every ${title}, in display order.`, who: reader, answer: z.array(record) };
    case 'read':
      return { about: `One ${title}.`, who: reader, answer: record };
    case 'add':
      return {
        about: `Adds a ${title}; the same key and record again answer the one that is there.`,
        who: 'content',
        headers: ['Draft', 'Idempotency-Key'],
        body: addSchema(section),
        maxBodyBytes: bodyLimit(section),
        answer: record,
        status: 201,
        problems: [409],
      };
    case 'update':
      return {
        about: `Changes a ${title}; a field that is absent keeps its value.`,
        who: 'content',
        body: updateSchema(section),
        maxBodyBytes: bodyLimit(section),
        answer: record,
        problems: [409, 412],
        headers: ['Draft', 'If-Match'],
      };
    case 'remove':
      return { about: `Removes a ${title}.`, who: 'content', answer: record, problems: [409, 422] };
    case 'reorder':
      return {
        about: `Puts every ${title} in another order; with the order that was seen, it is refused where somebody else made another one meanwhile.`,
        who: 'content',
        body: reordering.extend({
          /** The ids of the list as they stood when it was put in that order. */
          orderSeen: z.array(z.string()).max(10_000).optional(),
        }),
        answer: z.array(record),
        problems: [412],
      };
  }
}

/** The entries of the calls of all sections. */
export const sectionEntries: CallTable = Object.fromEntries(
  sectionNames.flatMap((name) =>
    Object.entries(sectionCalls(name)).map(([verb, call]): [CallName, Call] => [
      call,
      entryOf(name, verb as SectionVerb),
    ]),
  ),
);

/** The reads of each section as types, for a browser that names one of them. */
export type SectionReads = {
  readonly [N in SectionName as `GET ${Sections[N]['api']['list']}`]: {
    readonly answer: z.ZodType<RecordOf<N>[]>;
  };
} & {
  readonly [
    N in SectionName as Sections[N]['api'] extends { readonly read: infer P extends string }
      ? `GET ${P}`
      : never
  ]: { readonly answer: z.ZodType<RecordOf<N>> };
};
