/** The calls of the sections, derived from the registry, and the calls about history and publications. */
import * as z from 'zod';
import type { Audience } from './audience.ts';
import { defaultMaxBodyBytes, type Call, type CallName, type CallTable, type Output } from './call.ts';
import { addSchema, updateSchema } from './fields.ts';
import { changeActions } from './history.ts';
import { sectionCalls, type ContentRecord, type SectionVerb } from './section-calls.ts';
import { titleInText, type Field, type Section } from './section.ts';
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

const historyEntry = z.strictObject({
  /** The number of saves of the record, including this one. */
  version: z.int(),
  action: z.enum(changeActions),
  at: moment,
  /** Email of the person who saved, or `deletedAccount`; null for setup. */
  by: z.string().nullable(),
  /** The values before; null for a new record. */
  before: fieldValues,
  /** The values after; null for a removed record. */
  after: fieldValues,
});
export type HistoryEntry = Output<typeof historyEntry>;

export const sectionName = z.enum(sectionNames);

/** A field whose value differs, with both values. */
export const fieldChange = z.strictObject({ field: z.string(), before: z.string(), after: z.string() });

const publishedChange = z.strictObject({
  section: sectionName,
  recordId: id,
  /** The value of the record's title field. */
  title: z.string(),
  action: z.enum(changeActions),
  /** The fields whose values differ. */
  changes: z.array(fieldChange),
});
export type PublishedChange = Output<typeof publishedChange>;

/** A removed record. Restoring its version brings it back. */
const removedRecord = publishedChange.pick({ section: true, recordId: true, title: true }).extend({
  version: z.int(),
  at: moment,
  by: z.string().nullable(),
});
export type RemovedRecord = Output<typeof removedRecord>;

/** What an edit would do. */
const dryRun = z.strictObject({
  /** The current revision. It is the ETag for `If-Match`. */
  revision: z.int(),
  changes: z.array(publishedChange),
  /** The pages that would change or no longer exist, and the changed sections that cause it. */
  pages: z.array(z.strictObject({ path: z.string(), sections: z.array(sectionName) })),
});
export type DryRun = Output<typeof dryRun>;

const milliseconds = z.number().nullable();

/**
 * How long each part of a save took, in ms; null if not measured. Reading takes 0 if the content was in memory. On
 * Cloudflare, the clock does not advance while code runs, so the rendering time is counted in the write
 * (https://developers.cloudflare.com/workers/reference/security-model/#step-1-disallow-timers-and-multi-threading).
 */
const timings = z.strictObject({
  readMs: milliseconds,
  renderMs: milliseconds,
  writeMs: milliseconds,
});
export type Timings = Output<typeof timings>;

const publication = z.strictObject({
  revision: z.int(),
  at: moment,
  by: z.string().nullable(),
  summary: z.array(publishedChange),
  /** Paths of the pages that changed or no longer exist; at most 50 of the pages of articles. */
  changedPages: z.array(z.string()),
  timings,
});
export type Publication = Output<typeof publication>;

const anyRecord = z.looseObject({ _id: id }) as z.ZodType<ContentRecord>;

export const publishingCalls = {
  'GET /publication': {
    about: 'Returns the live revision and its pages.',
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
    about: 'Lists the last 50 saves of content, newest first.',
    who: 'content',
    answer: z.array(publication),
  },
} as const satisfies CallTable;

export const historyCalls = {
  'GET /content': {
    about:
      'Returns every record that visitors see, by section: live, or as it will be after a release is published.',
    who: 'content',
    query: z.strictObject({ release: id.optional() }),
    answer: z.record(z.enum(sectionNames.filter(isShown)), z.array(anyRecord)),
    problems: [404],
  },
  'POST /publications/:revision/go-back': {
    about:
      'Restores all content to a revision. This is a save. `If-Match` is the live revision that the caller saw.',
    who: 'content',
    headers: ['If-Match'],
    answer: z.strictObject({ revision: z.int() }),
    problems: [409, 412, 422],
  },
  'GET /publications/:revision/go-back': {
    about: 'Returns what restoring all content to a revision would change.',
    who: 'content',
    answer: dryRun,
  },
  'GET /removed-records': {
    about: 'Lists the records that were removed in the last 30 days, newest first.',
    who: 'content',
    query: pageQuery,
    answer: z.array(removedRecord),
  },
  'GET /history/:id': {
    about: 'Lists the versions of a record, newest first.',
    who: 'content',
    query: pageQuery,
    answer: z.array(historyEntry),
  },
  'POST /history/:id/restore': {
    about:
      'Restores a record to one of its versions. This is a save. `If-Match` is the current version, or the last version of a removed record.',
    who: 'content',
    headers: ['If-Match'],
    body: z.strictObject({ version: z.int().min(1) }),
    answer: anyRecord,
    problems: [409, 412],
  },
} as const satisfies CallTable;

/** The maximum size of a section's body, in bytes. Fields with their own `maxLength` add four bytes per character. */
const bodyLimit = ({ fields }: Section): number =>
  Object.values(fields).reduce((sum, { maxLength = 0 }) => sum + 4 * maxLength, defaultMaxBodyBytes);

/** The maximum size of the values of any record, in bytes. */
export const largestBodyBytes = Math.max(...sectionNames.map((name) => bodyLimit(sectionNamed(name))));

/** The entries of a section's calls, as listed by `sectionCalls`. */
const entriesOf = (section: Section) => {
  const title = titleInText(section);
  const reader: Audience = section.read ?? 'anyone';
  const recordWith = (isIn: (field: Field) => boolean): z.ZodType<ContentRecord> => {
    const fields = Object.entries(section.fields).filter(([, field]) => isIn(field));
    return z.strictObject({ _id: id, ...Object.fromEntries(fields.map(([name]) => [name, z.string()])) });
  };
  const record = recordWith(() => true);
  const maxBodyBytes = bodyLimit(section);
  return {
    list: {
      about: `Lists every ${title}, in display order.`,
      who: reader,
      answer: z.array(recordWith(({ long }) => !long)),
    },
    read: { about: `Returns one ${title}.`, who: reader, answer: record },
    add: {
      about: `Adds one ${title}. A repeated key with the same record returns the existing record, or 409 if someone has removed it since.`,
      who: 'content',
      headers: ['Draft', 'Idempotency-Key'],
      body: addSchema(section),
      maxBodyBytes,
      answer: record,
      status: 201,
      problems: [409],
    },
    update: {
      about: `Changes one ${title}. An absent field keeps its value.`,
      who: 'content',
      headers: ['Draft', 'If-Match'],
      body: updateSchema(section),
      maxBodyBytes,
      answer: record,
      problems: [409, 412],
    },
    remove: { about: `Removes one ${title}.`, who: 'content', answer: record, problems: [409, 422] },
    reorder: {
      about: `Changes the order of the list. With \`orderSeen\`, the call is rejected if someone else changed the order in the meantime.`,
      who: 'content',
      body: reordering.extend({
        /** The ids of the list, in the order that the caller saw. */
        orderSeen: z.array(z.string()).max(10_000).optional(),
      }),
      answer: z.array(record),
      problems: [412],
    },
  } as const satisfies Record<SectionVerb, Call>;
};
export type SectionEntries = ReturnType<typeof entriesOf>;

export const sectionEntries: CallTable = Object.fromEntries(
  sectionNames.flatMap((name) => {
    const entries = entriesOf(sectionNamed(name));
    return Object.entries(sectionCalls(name)).map(([verb, call]): [CallName, Call] => [
      call,
      entries[verb as SectionVerb],
    ]);
  }),
);

/** The types of the read calls of each section, for code that reads one specific section. */
export type SectionReads = {
  readonly [N in SectionName as `GET ${Sections[N]['api']['list']}`]: {
    readonly answer: z.ZodType<RecordOf<N>[]>;
  };
} & {
  readonly [N in SectionName as `GET ${Sections[N]['api']['read']}`]: {
    readonly answer: z.ZodType<RecordOf<N>>;
  };
};
