/**
 * Adds changes to a release and removes them. Each change is checked against the live content with the release's other
 * changes applied.
 */
import { isDeepStrictEqual } from 'node:util';
import { and, asc, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#contract/call.ts';
import { isReleaseFull } from '#contract/releases.ts';
import type { ReleaseChange, releaseCalls } from '#contract/releases.calls.ts';
import { etagOf } from '#contract/etag.ts';
import { addSchema, updateSchema } from '#contract/fields.ts';
import { newId } from '#contract/ids.ts';
import { sectionCalls } from '#contract/section-calls.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { actorId } from '../accounts/owner.ts';
import { settingEvents } from '../audit/schema.ts';
import { findRecord, idsOf, type Edit } from '../content/edits.ts';
import { checkPrices } from '../content/price-changes.ts';
import { filterValues, type StoredContent, type Values } from '../content/stored.ts';
import {
  applyRelease,
  evaluate,
  outcomeOf,
  recordsOf,
  type Change,
  type SectionChange,
} from '../content/release-edit.ts';
import { releaseChanges } from '../content/schema.ts';
import type { Database, Statement } from '../db/client.ts';
import type { Caller } from '../http/app.ts';
import { check } from '../http/body.ts';
import { conflict, invalid, idempotencyKeyReused, notFound } from '../http/errors.ts';
import { checkVersion } from '../http/conditional.ts';
import { inLibrary } from '../media/uses.ts';
import { readLive } from '../publishing/live-content.ts';
import { applyEdit } from '../publishing/plan.ts';
import { deleteDrafts } from './drafts.ts';
import { idOfAdded } from './id-of-added.ts';
import { describeOutcome } from './release-view.ts';
import { changeRelease, type StoredChange, type StoredRelease } from './releases.ts';

type ChangeRequest = BodyOf<(typeof releaseCalls)['POST /release/:id/changes']>;

interface ChangeContext {
  readonly section: SectionName;
  readonly live: StoredContent;
  /** The live content with the other changes of the release applied. */
  readonly content: StoredContent;
  readonly existing: StoredChange | undefined;
  readonly addedId: string;
}

function auditedValues(change: SectionChange): Values {
  const { section, action, recordId } = change;
  const about = { section, action, recordId };
  if (change.action === 'remove') return about;
  return change.action === 'reorder'
    ? { ...about, order: change.value.join(' ') }
    : { ...change.value, ...about };
}

/** A change in the format of the 412 response. */
const currentOf = (change: StoredChange) => ({ _id: change.recordId, ...auditedValues(change) });

/** The result of merging a request with the release's existing change to the same record. */
interface DecidedChange {
  /** Undefined if it no longer differs from the live content. */
  readonly change: Change | undefined;
  /** Whether it overwrites part of the existing change, which the caller must then have seen. */
  readonly replaces: boolean;
}

/**
 * Rejects overwriting another person's change that the caller has not seen.
 * @throws ApiError 412 with the change's values and its ETag
 */
function checkSeen(existing: StoredChange, ifMatch: string | undefined, { replaces }: DecidedChange): void {
  if (ifMatch === undefined && !replaces) return;
  checkVersion(ifMatch ?? 'none', existing, currentOf(existing));
}

function requireId({ recordId }: ChangeRequest): string {
  if (recordId === undefined) throw invalid({ recordId: 'Name the record.' });
  return recordId;
}

/** @throws ApiError 412 the change is based on a version that is not live */
function findLive({ section, live }: ChangeContext, id: string, version: number | undefined) {
  const record = findRecord(live, section, id);
  const ifMatch = version === undefined ? undefined : etagOf(version);
  checkVersion(ifMatch, record, { _id: id, ...record.values });
  return record;
}

function decideAddition({ section, addedId }: ChangeContext, request: ChangeRequest): DecidedChange {
  if (request.recordId !== undefined) throw invalid({ recordId: 'A new record gets its own id.' });
  const value = check(addSchema(sectionNamed(section)), request.values ?? {});
  return { change: { action: 'add', recordId: addedId, value }, replaces: false };
}

function decideUpdate(context: ChangeContext, request: ChangeRequest): DecidedChange {
  const { section, existing } = context;
  const given = check(updateSchema(sectionNamed(section)), request.values ?? {});
  const isNotGiven = (field: string) => !(field in given);
  const recordId = requireId(request);
  const present = existing && existing.action !== 'remove' ? (existing.value as Values) : {};
  const replaces =
    existing?.action === 'remove' ||
    Object.entries(given).some(([field, value]) => (present[field] ?? value) !== value);
  if (existing?.action === 'add')
    return { change: { action: 'add', recordId, value: { ...present, ...given } }, replaces };
  const record = findLive(context, recordId, request.version);
  const changed = filterValues(given, (field, text) => record.values[field] !== text);
  const value = { ...filterValues(present, isNotGiven), ...changed };
  if (Object.keys(value).length === 0) return { change: undefined, replaces };
  const base = {
    ...(existing?.action === 'update' && filterValues(existing.base, isNotGiven)),
    ...filterValues(record.values, (field) => field in changed),
  };
  return { change: { action: 'update', recordId, value, base }, replaces };
}

function decideRemoval(context: ChangeContext, request: ChangeRequest): DecidedChange {
  const { existing } = context;
  const recordId = requireId(request);
  if (existing?.action === 'add')
    throw conflict('This release adds this record. Remove that change from the release instead.');
  const base = findLive(context, recordId, request.version).values;
  const replaces = existing !== undefined && existing.action !== 'remove';
  return { change: { action: 'remove', recordId, base }, replaces };
}

/** If someone else changed the order since the caller saw it, the release has a conflict that a person must resolve. */
function decideOrder(context: ChangeContext, { order, orderSeen }: ChangeRequest): DecidedChange {
  const { section, live, content, existing } = context;
  if (!order) throw invalid({ order: 'Send every id of the list in its new order.' });
  const known = new Set(idsOf(content[section]));
  if (new Set(order).size < order.length || order.some((id) => !known.has(id)))
    throw invalid({
      order: 'The list has changed in the meantime. Reload the page, then reorder the list again.',
    });
  const replaces = existing?.action === 'reorder' && existing.value.join() !== order.join();
  const base = orderSeen ?? idsOf(live[section]);
  return { change: { action: 'reorder', recordId: '', value: order, base }, replaces };
}

/** @throws ApiError 404, 409, 412, 422 */
function decideChange(context: ChangeContext, request: ChangeRequest): DecidedChange {
  const { section } = context;
  if (!(request.action in sectionCalls(section)))
    throw invalid({ action: `This cannot be done to ${titleInText(sectionNamed(section))} records.` });
  switch (request.action) {
    case 'add':
      return decideAddition(context, request);
    case 'update':
      return decideUpdate(context, request);
    case 'remove':
      return decideRemoval(context, request);
    case 'reorder':
      return decideOrder(context, request);
  }
}

const columnsOf = (change: Change) => ({
  action: change.action,
  value: 'value' in change ? change.value : null,
  base: 'base' in change ? change.base : null,
});

/** Whether an existing change is to the same record as a new one, or to the order of the same section. */
const isSame = (one: SectionChange, { section, action, recordId }: ChangeRequest, addedId: string): boolean =>
  one.section === section &&
  one.recordId === { add: addedId, reorder: '', update: recordId, remove: recordId }[action];

interface ChangeHeaders {
  /** The ETag of the existing change that the caller saw. */
  readonly ifMatch: string | undefined;
  /** The draft that the change comes from; absent for a draft without an id. */
  readonly draftId: string | undefined;
  /** A record that is submitted again with the same key is added only once. */
  readonly idempotencyKey?: string | undefined;
}

/**
 * Whether a release has already added a record, according to the audit.
 * @throws ApiError 422 for other values, 409 if someone has removed the record from the release since
 */
async function wasAdded(
  db: Database,
  releaseId: string,
  addition: SectionChange,
  existing: StoredChange | undefined,
): Promise<boolean> {
  const [first] = await db
    .select({ after: settingEvents.after })
    .from(settingEvents)
    .where(
      and(
        eq(settingEvents.recordId, releaseId),
        sql`json_extract(${settingEvents.after}, '$.recordId') = ${addition.recordId}`,
      ),
    )
    .orderBy(asc(settingEvents.version))
    .limit(1);
  if (!first) return false;
  if (!isDeepStrictEqual(JSON.parse(first.after ?? '{}'), auditedValues(addition)))
    throw idempotencyKeyReused('change');
  if (!existing)
    throw conflict(
      'Someone has removed this addition from the release since. Add it again if you still want it.',
    );
  return true;
}

/** Whether the release already contains a change because its request was repeated. @throws ApiError 409, 422 */
async function isRepeated(
  db: Database,
  releaseId: string,
  change: SectionChange,
  existing: StoredChange | undefined,
  idempotencyKey: string | undefined,
): Promise<boolean> {
  if (change.action === 'add')
    return idempotencyKey !== undefined && wasAdded(db, releaseId, change, existing);
  return isDeepStrictEqual({ ...existing, ...change }, existing);
}

/** The statement that stores a change in a release, replacing the existing one. */
function putChange(
  { db, account }: Caller,
  releaseId: string,
  existing: StoredChange | undefined,
  change: StoredChange,
): Statement {
  const { _id, section, recordId, version, at } = change;
  const columns = { ...columnsOf(change), version, at, by: actorId(account.id) };
  return existing
    ? db.update(releaseChanges).set(columns).where(eq(releaseChanges._id, existing._id))
    : db.insert(releaseChanges).values({ ...columns, _id, releaseId, section, recordId });
}

const deleteChange = (db: Database, { _id }: StoredChange): Statement =>
  db.delete(releaseChanges).where(eq(releaseChanges._id, _id));

/** The statements that delete the draft of a form whose text is now in the release. Other changes have no form. */
const deleteDraftOf = (
  { db, account }: Caller,
  { section, recordId, action }: ChangeRequest,
  draftId = '',
): Statement[] =>
  action === 'add' || action === 'update' ? [deleteDrafts(db, account, { section, recordId, draftId })] : [];

/**
 * Checks a change as publishing the release would, at the scheduled time if there is one.
 * @throws ApiError 403, 422
 */
async function checkChange(
  { db, env, account }: Caller,
  { _id, publishAt }: StoredRelease['release'],
  content: StoredContent,
  change: SectionChange,
): Promise<void> {
  const edit: Edit = { changesTo: (now) => evaluate(now, change).changes };
  // Without a schedule, the release may be published after the day of its articles.
  const when = publishAt === null ? { isPreview: true } : { at: publishAt };
  const { changes } = await applyEdit(content, edit, { db, env, releaseId: _id, ...when });
  checkPrices(env, account.role, changes);
}

/**
 * Adds a change to an open release. If the release already changes the same record, the two changes are merged. If the
 * release already contains all of it, nothing happens. No page is rendered here. The release's screen shows what its
 * changes do and what prevents publication.
 * @returns the change in the release; undefined if it does not differ from the live content
 * @throws ApiError 404, 409, 412 someone else changed the record or the change in the meantime, 422
 */
export async function addChange(
  context: Caller,
  id: string,
  request: ChangeRequest,
  { ifMatch, draftId, idempotencyKey }: ChangeHeaders,
): Promise<ReleaseChange | undefined> {
  const { db, account: caller } = context;
  const { section, recordId } = request;
  const addedId = idOfAdded(idempotencyKey, [caller.id, id, section]);
  return changeRelease(db, id, caller, async (stored) => {
    const live = await readLive(db, [...recordsOf(stored.changes), recordId ?? '']);
    const existing = stored.changes.find((change) => isSame(change, request, addedId));
    if (!existing && isReleaseFull({ changes: stored.changes.length, characters: stored.characters }))
      throw conflict('This release is full. Start another one.');
    const { content } = applyRelease(
      live.content,
      stored.changes.filter((change) => change !== existing),
    );
    const describe = (change: StoredChange) =>
      describeOutcome(live.content, content, outcomeOf(content, change));
    const decided = decideChange({ section, live: live.content, content, existing, addedId }, request);
    const forget = deleteDraftOf(context, request, draftId);
    const before = existing && { before: auditedValues(existing) };
    if (!decided.change) {
      if (!existing) throw invalid({ values: 'Nothing here differs from what is live.' });
      checkSeen(existing, ifMatch, decided);
      return { statements: [deleteChange(db, existing), ...forget], ...before };
    }

    const change = { ...decided.change, section };
    if (await isRepeated(db, id, change, existing, idempotencyKey))
      return { isUnchanged: true, statements: forget, answer: existing && describe(existing) };
    if (existing) checkSeen(existing, ifMatch, decided);
    await checkChange(context, stored.release, content, change);
    const at = Date.now();
    const next = {
      ...change,
      _id: existing?._id ?? newId(at),
      version: (existing?.version ?? 0) + 1,
      at,
      byEmail: caller.email,
    };
    return {
      statements: [putChange(context, id, existing, next), ...forget],
      onlyIf:
        change.action === 'add' || change.action === 'update' ? inLibrary(section, change.value) : undefined,
      ...before,
      after: auditedValues(change),
      answer: describe(next),
    };
  });
}

/**
 * @param ifMatch the ETag of the change that the caller saw
 * @throws ApiError 404, 409, 412
 */
export async function removeChange(
  context: Caller,
  id: string,
  changeId: string,
  ifMatch: string | undefined,
): Promise<void> {
  const { db, account: caller } = context;
  return changeRelease(db, id, caller, (stored) => {
    const existing = stored.changes.find(({ _id }) => _id === changeId);
    if (!existing) throw notFound('This change is no longer in the release.');
    checkVersion(ifMatch, existing, currentOf(existing));
    return {
      statements: [deleteChange(db, existing)],
      before: auditedValues(existing),
    };
  });
}
