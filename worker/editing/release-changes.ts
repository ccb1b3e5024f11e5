/**
 * Adds changes to a release and removes them: each is tried on the live content with the other changes of the release
 * applied.
 */
import { isDeepStrictEqual } from 'node:util';
import { eq } from 'drizzle-orm';
import type { BodyOf } from '#contract/call.ts';
import type { releaseCalls } from '#contract/releases.calls.ts';
import { etagOf } from '#contract/etag.ts';
import { addSchema, updateSchema } from '#contract/fields.ts';
import { newId } from '#contract/ids.ts';
import { sectionCalls } from '#contract/section-calls.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { actorId } from '../accounts/owner.ts';
import { applyChanges, findRecord, idsOf } from '../content/edits.ts';
import type { StoredContent } from '../content/reader.ts';
import { applyRelease, evaluate, type Change, type SectionChange } from '../content/release-edit.ts';
import { releaseChanges } from '../content/schema.ts';
import type { Statement } from '../db/client.ts';
import type { Caller } from '../http/app.ts';
import { check } from '../http/body.ts';
import { conflict, invalid, notFound } from '../http/errors.ts';
import { checkVersion } from '../http/conditional.ts';
import { checkMedia, inLibrary } from '../media/uses.ts';
import { readLive } from '../publishing/live-content.ts';
import type { LiveContent } from '../publishing/page-set.ts';
import { checkRedirects } from '../publishing/redirects.ts';
import { forgetDraft } from './drafts.ts';
import { changeRelease, withRow, type StoredChange, type StoredRelease } from './releases.ts';

type ChangeRequest = BodyOf<(typeof releaseCalls)['POST /release/:id/changes']>;
type Values = Readonly<Record<string, string>>;

/** The most changes of a release; nobody would review more. */
const mostChanges = 500;

/** The state on which a new change is decided. */
interface ChangeContext {
  readonly section: SectionName;
  readonly live: StoredContent;
  /** The live content with the other changes of the release applied. */
  readonly content: StoredContent;
  /** The change of the same record that the release already has. */
  readonly existing: StoredChange | undefined;
  readonly ifMatch: string | undefined;
}

/** A change as it is audited. */
function noteOf(change: SectionChange): Values {
  const { section, action, recordId } = change;
  const about = { section, action, recordId };
  if (change.action === 'remove') return about;
  return change.action === 'reorder'
    ? { ...about, order: change.value.join(' ') }
    : { ...change.value, ...about };
}

/** A change as the 412 answer contains it. */
const currentOf = (change: StoredChange) => ({ _id: change.recordId, ...noteOf(change) });

/**
 * Refuses to overwrite a change that somebody else made and the caller has not seen.
 * @throws ApiError 412 with the change's values and its ETag
 */
function checkSeen({ existing, ifMatch }: ChangeContext, collides: boolean): void {
  if (!existing || (ifMatch === undefined && !collides)) return;
  checkVersion(ifMatch ?? 'none', existing, currentOf(existing));
}

const pick = (values: Values, fields: readonly string[]): Values =>
  Object.fromEntries(fields.flatMap((field) => (field in values ? [[field, values[field] ?? '']] : [])));

const without = (values: Values, fields: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([field]) => !(field in fields)));

/** The record that a change names. */
function requireId({ recordId }: ChangeRequest): string {
  if (recordId === undefined) throw invalid({ recordId: 'Say which record.' });
  return recordId;
}

/** @throws ApiError 412 when the change was made from another version than the one that is live */
function findLive({ section, live }: ChangeContext, id: string, version: number | undefined) {
  const record = findRecord(live, section, id);
  const ifMatch = version === undefined ? undefined : etagOf(version);
  checkVersion(ifMatch, record, { _id: id, ...record.values });
  return record;
}

/** @returns undefined if nothing differs from what is live any more */
function decideUpdate(context: ChangeContext, request: ChangeRequest): Change | undefined {
  const { section, existing } = context;
  const given = Object.fromEntries(
    Object.entries(check(updateSchema(sectionNamed(section)), request.values ?? {})).flatMap(
      ([field, value]) => (value === undefined ? [] : [[field, value] as const]),
    ),
  );
  const recordId = requireId(request);
  const present = existing && existing.action !== 'remove' ? (existing.value as Values) : {};
  const collides = Object.entries(given).some(([field, value]) => (present[field] ?? value) !== value);
  checkSeen(context, collides || existing?.action === 'remove');
  if (existing?.action === 'add') return { action: 'add', recordId, value: { ...present, ...given } };
  const record = findLive(context, recordId, request.version);
  const changed = without(given, pickEqual(given, record.values));
  const value = { ...without(present, given), ...changed };
  if (Object.keys(value).length === 0) return undefined;
  const base = {
    ...(existing?.action === 'update' && without(existing.base, given)),
    ...pick(record.values, Object.keys(changed)),
  };
  return { action: 'update', recordId, value, base };
}

const pickEqual = (values: Values, other: Values): Values =>
  Object.fromEntries(Object.entries(values).filter(([field, value]) => other[field] === value));

function decideRemoval(context: ChangeContext, request: ChangeRequest): Change {
  const { existing } = context;
  const recordId = requireId(request);
  if (existing?.action === 'add')
    throw conflict('This release adds this record. Take that change out of the release instead.');
  checkSeen(context, existing !== undefined && existing.action !== 'remove');
  return { action: 'remove', recordId, base: findLive(context, recordId, request.version).values };
}

/**
 * If somebody else has changed the order since it was seen, that becomes a conflict of the release, which a person
 * resolves.
 */
function decideOrder(context: ChangeContext, { order, orderSeen }: ChangeRequest): Change {
  const { section, live, content, existing } = context;
  if (!order) throw invalid({ order: 'Give every id of the list in its new order.' });
  const known = new Set(idsOf(content[section]));
  if (new Set(order).size < order.length || order.some((id) => !known.has(id)))
    throw invalid({ order: 'The list has changed meanwhile. Reload it and order it again.' });
  const isOther = existing?.action === 'reorder' && existing.value.join() !== order.join();
  checkSeen(context, isOther);
  return { action: 'reorder', recordId: '', value: order, base: orderSeen ?? idsOf(live[section]) };
}

/** @throws ApiError 404, 409, 412, 422 */
function decideChange(context: ChangeContext, request: ChangeRequest): Change | undefined {
  const { section } = context;
  if (!(request.action in sectionCalls(section)))
    throw invalid({ action: `This cannot be done to ${titleInText(sectionNamed(section))} records.` });
  switch (request.action) {
    case 'add':
      if (request.recordId !== undefined) throw invalid({ recordId: 'A new record gets an id of its own.' });
      return {
        action: 'add',
        recordId: newId(),
        value: check(addSchema(sectionNamed(section)), request.values ?? {}),
      };
    case 'update':
      return decideUpdate(context, request);
    case 'remove':
      return decideRemoval(context, request);
    case 'reorder':
      return decideOrder(context, request);
  }
}

/** The columns of a change. */
const columnsOf = (change: Change) => ({
  action: change.action,
  value: 'value' in change ? JSON.stringify(change.value) : null,
  base: 'base' in change ? JSON.stringify(change.base) : null,
});

/** Whether a change of the release concerns the same record, or the order of the same section, as a new one. */
const isSame = (one: SectionChange, { section, action, recordId }: ChangeRequest): boolean =>
  one.section === section && action !== 'add' && one.recordId === (action === 'reorder' ? '' : recordId);

/** Whether a change of the release is what a new one makes of it. */
const isHeld = (existing: StoredChange, change: SectionChange): boolean =>
  isDeepStrictEqual({ ...existing, ...change }, existing);

/** A release after a change, and what was live at that time. */
export interface Changed {
  readonly stored: StoredRelease;
  readonly live: LiveContent;
}

/** The statements that replace a change, and the release's changes afterwards. */
function replaceChange(
  { db, account: caller }: Caller,
  { release, changes }: StoredRelease,
  existing: StoredChange | undefined,
  change: SectionChange | undefined,
): { statement: Statement; changes: readonly StoredChange[] } {
  const others = changes.filter((other) => other !== existing);
  const ofExisting = eq(releaseChanges._id, existing?._id ?? '');
  if (!change) return { statement: db.delete(releaseChanges).where(ofExisting), changes: others };
  const at = Date.now();
  const { _id, version } = existing
    ? { _id: existing._id, version: existing.version + 1 }
    : { _id: newId(at), version: 1 };
  const columns = { ...columnsOf(change), version, at, by: actorId(caller.id) };
  const { section, recordId } = change;
  const stored: StoredChange = { ...change, _id, version, at, byEmail: caller.email };
  return {
    statement: existing
      ? db.update(releaseChanges).set(columns).where(ofExisting)
      : db.insert(releaseChanges).values({ ...columns, _id, releaseId: release._id, section, recordId }),
    changes: existing ? changes.map((other) => (other === existing ? stored : other)) : [...others, stored],
  };
}

/**
 * Adds a change to an open release. One about the same record is merged with the one that is there; where the release holds
 * all of it already, nothing changes.
 * @param ifMatch the ETag of that one, as it was seen
 * @param draftId the draft that it is made from; none but one that was given no id
 * @throws ApiError 404, 409, 412 somebody else changed the record, or the change, meanwhile, 422
 */
export async function addChange(
  context: Caller,
  id: string,
  request: ChangeRequest,
  { ifMatch, draftId }: { readonly ifMatch: string | undefined; readonly draftId: string | undefined },
): Promise<Changed> {
  const { db, env, account: caller } = context;
  return changeRelease(db, id, caller, async (stored) => {
    const live = await readLive(db);
    const existing = stored.changes.find((change) => isSame(change, request));
    if (!existing && stored.changes.length >= mostChanges)
      throw conflict(`A release holds at most ${mostChanges} changes. Begin another one.`);
    const others = stored.changes.filter((change) => change !== existing);
    const { content } = applyRelease(live.content, others);
    const { section } = request;
    const decided = decideChange({ section, live: live.content, content, existing, ifMatch }, request);
    if (!decided && !existing) throw invalid({ values: 'Nothing here differs from what is live.' });
    const change = decided && { ...decided, section };
    const { recordId } = request;
    // The text of the form is in the release now, so its draft goes. The other actions are not made by a form.
    const forget =
      request.action === 'add' || request.action === 'update'
        ? [forgetDraft(db, caller, { section, recordId, draftId: draftId ?? '' })]
        : [];
    if (existing && change && isHeld(existing, change))
      return { isUnchanged: true, statements: forget, answer: { live, stored } };
    if (change) {
      const made = evaluate(content, change).changes;
      const next = applyChanges(content, made);
      await checkRedirects(next, made, env);
      await checkMedia(next, made, { db, env, exceptRelease: id });
    }
    const { statement, changes } = replaceChange(context, stored, existing, change);
    return {
      statements: [statement, ...forget],
      onlyIf:
        change?.action === 'add' || change?.action === 'update'
          ? inLibrary(db, section, change.value)
          : undefined,
      ...(existing && { before: noteOf(existing) }),
      ...(change && { after: noteOf(change) }),
      answer: { live, stored: { ...withRow(stored, {}), changes } },
    };
  });
}

/**
 * Removes a change from an open release.
 * @param ifMatch the ETag of the change, as it was seen
 * @throws ApiError 404, 409, 412
 */
export async function takeOut(
  context: Caller,
  id: string,
  changeId: string,
  ifMatch: string | undefined,
): Promise<Changed> {
  const { db, account: caller } = context;
  const live = await readLive(db);
  return changeRelease(db, id, caller, (stored) => {
    const existing = stored.changes.find(({ _id }) => _id === changeId);
    if (!existing) throw notFound('This change is not in the release any more.');
    checkVersion(ifMatch, existing, currentOf(existing));
    const { statement, changes } = replaceChange(context, stored, existing, undefined);
    return {
      statements: [statement],
      before: noteOf(existing),
      answer: { live, stored: { ...withRow(stored, {}), changes } },
    };
  });
}
