import * as z from 'zod';
import type { CallTable, Output } from './call.ts';
import { releaseActions } from './releases.ts';
import { fieldChange, largestBodyBytes, sectionName } from './content.calls.ts';
import { id, line, moment, pageQuery, values } from './schemas.ts';

/** Email of a staff member; null once the account is deleted. */
const person = z.string().nullable();

/** Why a change cannot be published in its current state. */
const releaseConflict = z.strictObject({
  /**
   * - `changed`: someone changed the same record or order later.
   * - `removed`: the record was removed.
   * - `refused`: the change is invalid for the live content.
   */
  kind: z.enum(['changed', 'removed', 'refused']),
  detail: z.string(),
  /** The fields that someone else changed; for a removal, all fields that differ. */
  fields: z.array(
    z.strictObject({ field: z.string(), base: z.string(), theirs: z.string(), mine: z.string() }),
  ),
});
export type ReleaseConflict = Output<typeof releaseConflict>;

const releaseChange = z.strictObject({
  _id: id,
  section: sectionName,
  /** Null for the order of a section. */
  recordId: id.nullable(),
  action: z.enum(releaseActions),
  /** The value of the record's title field. */
  title: z.string(),
  /** The number of saves of the change. It is the ETag for `If-Match`. */
  version: z.int(),
  /** The live version of the record; null if the record is not live. */
  recordVersion: z.int().nullable(),
  /** The fields that differ, live and in the release. For a published release: before and after. */
  changes: z.array(fieldChange),
  /** For the order of a section: the titles before and after, and the ids in both orders. */
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

const releaseSummary = z.strictObject({
  _id: id,
  title: z.string(),
  /** The number of saves of the release. It is the ETag for `If-Match`. */
  version: z.int(),
  status: z.enum(['open', 'published']),
  changeCount: z.int(),
  createdAt: moment,
  createdBy: person,
  publishAt: moment.nullable(),
  /** Why it could not be published on schedule. */
  failure: z.string().nullable(),
  /**
   * Whether it cannot be published in its current state. In lists, this means that a record that it changes was saved
   * or removed live in the meantime. In the release itself, it means a conflict or problem of any kind.
   */
  isBlocked: z.boolean(),
  /** The revision that published it; also null if publishing changed nothing, because everything was already live. */
  revision: z.int().nullable(),
  publishedAt: moment.nullable(),
  publishedBy: person,
});
export type ReleaseSummary = Output<typeof releaseSummary>;

const release = releaseSummary.extend({
  changes: z.array(releaseChange),
  /** Why it cannot be published now although no change conflicts, such as a broken link. */
  problem: z.string().nullable(),
  /** Paths of the pages that publishing it would change, or has changed. */
  pages: z.array(z.string()),
  /** When its last preview link expires; null if there is none. */
  previewUntil: moment.nullable(),
  /** The time zone in which the site shows times, such as `America/New_York`. */
  timeZone: z.string(),
});
export type Release = Output<typeof release>;

const title = line('Title is required.', 200);

export const releaseCalls = {
  'GET /releases': {
    about: 'Lists releases, newest first.',
    who: 'content',
    query: pageQuery.extend({
      status: z.enum(['open', 'published']).optional(),
      recordId: id.optional(),
      section: sectionName.optional(),
    }),
    answer: z.array(releaseSummary),
  },
  'POST /releases': {
    about: 'Creates a release: a named set of changes that nobody sees until it is published.',
    who: 'content',
    body: z.strictObject({ title }),
    answer: release,
    status: 201,
  },
  'GET /release/:id': {
    about: 'Returns a release, with the effect of each change on the live content, and its conflicts.',
    who: 'content',
    answer: release,
  },
  'PUT /release/:id': {
    about: 'Renames a release.',
    who: 'content',
    body: z.strictObject({ title }),
    answer: release,
    problems: [409],
  },
  'DELETE /release/:id': {
    about: 'Deletes a release with its changes. What was published stays.',
    who: 'content',
    audited: 'removal',
    headers: ['If-Match'],
    problems: [412],
  },
  'POST /release/:id/changes': {
    about:
      'Adds a change to a release. A second change of the same record is merged with the first. If both contain a field, the newer text wins, and `If-Match` must be the version of the first change. A repeated change has no effect; for a new record, this needs a repeated `Idempotency-Key`. Returns the change as the release now contains it; null if it does not differ from what is live.',
    who: 'content',
    headers: ['Draft', 'If-Match', 'Idempotency-Key'],
    body: z.strictObject({
      section: sectionName,
      recordId: id.optional(),
      action: z.enum(releaseActions),
      /** The changed fields of an update, or all fields of a new record. */
      values: values.optional(),
      /** All ids of the list in the new order. */
      order: z.array(z.string()).max(10_000).optional(),
      /** The ids of the list in the order that the caller saw; the live order by default. */
      orderSeen: z.array(z.string()).max(10_000).optional(),
      /** The version of the record that the change is based on. A stale version is rejected with 412. */
      version: z.int().optional(),
    }),
    maxBodyBytes: largestBodyBytes,
    answer: releaseChange.nullable(),
    status: 201,
    problems: [409, 412],
  },
  'DELETE /release/:id/changes/:change': {
    about: 'Removes a change from a release.',
    who: 'content',
    headers: ['If-Match'],
    problems: [409, 412],
  },
  'POST /release/:id/publish': {
    about: 'Publishes all changes of a release in one revision, or none.',
    who: 'content',
    audited: 'release',
    headers: ['If-Match'],
    answer: z.strictObject({ revision: z.int() }),
    problems: [409, 412, 422],
  },
  'POST /release/:id/preview-link': {
    about:
      'Creates a preview link. For seven days, anyone with the link can see the pages with the release applied.',
    who: 'content',
    audited: 'release',
    answer: z.strictObject({ url: z.url() }),
    status: 201,
    problems: [409],
  },
  'DELETE /release/:id/preview-link': {
    about: 'Revokes all preview links of a release. Returns the release.',
    who: 'content',
    audited: 'release',
    answer: release,
    problems: [409],
  },
  'PUT /release/:id/schedule': {
    about: 'Schedules the publication of a release. Null removes the schedule.',
    who: 'content',
    headers: ['If-Match'],
    body: z.strictObject({
      at: z.iso
        .datetime({
          offset: true,
          error: 'Give a date and time with an offset, such as 2027-01-31T09:00:00-05:00.',
        })
        .nullable(),
    }),
    answer: release,
    problems: [409, 412],
  },
} as const satisfies CallTable;
