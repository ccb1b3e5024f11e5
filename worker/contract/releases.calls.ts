/** The calls of releases. */
import * as z from 'zod';
import { type CallTable, type Output } from './call.ts';
import { releaseActions } from './releases.ts';
import { sectionNames } from './sections/index.ts';
import { largestBodyBytes } from './content.calls.ts';
import { id, line, moment, pageQuery, values } from './schemas.ts';

const sectionName = z.enum(sectionNames);
/** Email of an administrator; null once the account is deleted. */
const person = z.string().nullable();

/** Why a change cannot be published as it stands. */
export const releaseConflict = z.strictObject({
  /**
   * `changed`: somebody has changed since what this change is about; `removed`: its record is gone; `refused`: it does not
   * go with what is live.
   */
  kind: z.enum(['changed', 'removed', 'refused']),
  detail: z.string(),
  /** The fields that somebody else left with another text, of a removal all that differ. */
  fields: z.array(
    z.strictObject({ field: z.string(), base: z.string(), theirs: z.string(), mine: z.string() }),
  ),
});
export type ReleaseConflict = Output<typeof releaseConflict>;

export const releaseChange = z.strictObject({
  _id: id,
  section: sectionName,
  /** Null where it is the order of a section. */
  recordId: id.nullable(),
  action: z.enum(releaseActions),
  /** Value of the record's title field. */
  title: z.string(),
  /** Counts the times that it was changed, from 1: its ETag for `If-Match`. */
  version: z.int(),
  /** The version of the record that is live; null where none is. */
  recordVersion: z.int().nullable(),
  /** The fields that differ: what is live, and what will be; of a published release what was. */
  changes: z.array(z.strictObject({ field: z.string(), before: z.string(), after: z.string() })),
  /** For the order of a section: the titles as they are and as they will be, and the ids in these orders. */
  order: z
    .strictObject({
      before: z.array(z.string()),
      idsBefore: z.array(id),
      after: z.array(z.string()),
      ids: z.array(id),
    })
    .nullable(),
  conflict: releaseConflict.nullable(),
  at: moment,
  by: person,
});
export type ReleaseChange = Output<typeof releaseChange>;

export const releaseSummary = z.strictObject({
  _id: id,
  title: z.string(),
  /** Counts the changes to the release, from 1: its ETag for `If-Match`. */
  version: z.int(),
  status: z.enum(['open', 'published']),
  changeCount: z.int(),
  createdAt: moment,
  createdBy: person,
  /** When it is to be published by itself. */
  publishAt: moment.nullable(),
  /** Why it could not be published at its time. */
  failure: z.string().nullable(),
  /** The revision in which it was published; null too where nothing differed any more from what was live. */
  revision: z.int().nullable(),
  publishedAt: moment.nullable(),
  publishedBy: person,
});
export type ReleaseSummary = Output<typeof releaseSummary>;

export const release = releaseSummary.extend({
  changes: z.array(releaseChange),
  /** Why it cannot be published just now although no change conflicts, such as a link that leads nowhere. */
  problem: z.string().nullable(),
  /** Paths of the pages that publishing it would change, or has changed. */
  pages: z.array(z.string()),
  /** Until when somebody may look at it by a link that was made; null where there is none. */
  previewUntil: moment.nullable(),
  /** The time zone in which the site tells times, such as `America/New_York`. */
  timeZone: z.string(),
});
export type Release = Output<typeof release>;

const title = line('Title is required.', 200);

export const releaseCalls = {
  'GET /releases': {
    about: 'The releases, newest first.',
    who: 'content',
    query: pageQuery.extend({
      status: z.enum(['open', 'published']).optional(),
      /** Only those that hold a change of this record. */
      recordId: id.optional(),
      /** Only those that hold a change of this section. */
      section: sectionName.optional(),
    }),
    answer: z.array(releaseSummary),
  },
  'POST /releases': {
    about: 'Begins a release: a named set of changes that nobody sees until it is published.',
    who: 'content',
    body: z.strictObject({ title }),
    answer: release,
    status: 201,
  },
  'GET /release/:id': {
    about: 'A release, with what each of its changes does to what is live, and what stands in its way.',
    who: 'content',
    answer: release,
  },
  'PUT /release/:id': {
    about: 'Gives a release another title.',
    who: 'content',
    body: z.strictObject({ title }),
    answer: release,
    problems: [409],
  },
  'DELETE /release/:id': {
    about: 'Removes a release with its changes; what was published stays.',
    who: 'content',
    audited: 'removal',
    headers: ['If-Match'],
    problems: [412],
  },
  'POST /release/:id/changes': {
    about:
      'Adds a change to a release. One that is about the same record is merged with the one that is there: of a field that both name the newer text stands, if `If-Match` names the version of that change. What the release holds already changes nothing. Answers the release.',
    who: 'content',
    headers: ['Draft', 'If-Match'],
    body: z.strictObject({
      section: sectionName,
      recordId: id.optional(),
      action: z.enum(releaseActions),
      /** The changed fields of an update, or all of a new record. */
      values: values.optional(),
      /** Every id of the list in its new order. */
      order: z.array(z.string()).max(10_000).optional(),
      /** The ids of the list as they stood when it was put in that order; without them, as they are live. */
      orderSeen: z.array(z.string()).max(10_000).optional(),
      /** The version of the record that the change was made from; another one is 412. */
      version: z.int().optional(),
    }),
    maxBodyBytes: largestBodyBytes,
    answer: release,
    status: 201,
    problems: [409, 412],
  },
  'DELETE /release/:id/changes/:change': {
    about: 'Takes a change out of a release. Answers the release.',
    who: 'content',
    headers: ['If-Match'],
    answer: release,
    problems: [409, 412],
  },
  'POST /release/:id/publish': {
    about: 'Publishes all changes of a release in one revision, or none.',
    who: 'content',
    audited: 'release',
    headers: ['If-Match'],
    answer: z.strictObject({ revision: z.int() }),
    status: 200,
    problems: [409, 412, 422],
  },
  'POST /release/:id/preview-link': {
    about:
      'Makes a link by which anyone who holds it looks at the pages with a release applied, for seven days.',
    who: 'content',
    answer: z.strictObject({ url: z.url() }),
    status: 201,
    problems: [409],
  },
  'DELETE /release/:id/preview-link': {
    about: 'Ends every link to a release. Answers the release.',
    who: 'content',
    answer: release,
    problems: [409],
  },
  'PUT /release/:id/schedule': {
    about: 'Says when a release is to be published by itself; null takes that back.',
    who: 'content',
    headers: ['If-Match'],
    body: z.strictObject({
      at: z.iso
        .datetime({
          offset: true,
          error: 'Give date and time with the offset, as 2027-01-31T09:00:00-05:00.',
        })
        .nullable(),
    }),
    answer: release,
    problems: [409, 412],
  },
} as const satisfies CallTable;
