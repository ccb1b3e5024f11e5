/**
 * Drafts: text that an editor typed into a form but did not save. Drafts are private to their author and available on
 * any device. Saving deletes the draft in the same batch. Drafts never block a save, and they expire. A draft that was
 * offered but neither restored nor discarded is kept while the editor types another one.
 */
import { and, desc, eq, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { BodyOf } from '#contract/call.ts';
import type { draftCalls } from '#contract/drafts.calls.ts';
import type { Draft, DraftMark } from '#contract/drafts.calls.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { assertAccount } from '../accounts/owner.ts';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { sectionOf } from '../content/history.ts';
import { writeBatch, type Database, type Statement } from '../db/client.ts';
import { deleteSome } from '../db/delete-some.ts';
import { invalid } from '../http/errors.ts';
import { dayMs } from '../http/clock.ts';
import { drafts } from './schema.ts';

/** How long a draft is kept after the last keystroke, in ms. */
const keptForMs = 30 * dayMs;
/** The maximum number of drafts of one form. Older ones are deleted. */
const maxPerForm = 10;
const maxPerAccount = 100;

type DraftRow = typeof drafts.$inferSelect;

interface FormKey {
  readonly section?: SectionName | undefined;
  readonly recordId?: string | undefined;
}

/** Identifies a draft of a form, or all of its drafts if the id is absent. */
interface DraftKey extends FormKey {
  readonly draftId?: string | undefined;
}

/** The form of a stored draft, as an array; empty if the section no longer exists. */
function markOf({
  section,
  recordId,
  draftId,
}: Pick<DraftRow, 'section' | 'recordId' | 'draftId'>): DraftMark[] {
  const name = sectionOf(section);
  return name ? [{ draftId, section: name, recordId: recordId || null }] : [];
}

const ofForm = (accountId: string, { section, recordId = '', draftId }: DraftKey): SQL | undefined =>
  and(
    eq(drafts.accountId, accountId),
    section && and(eq(drafts.section, section), eq(drafts.recordId, recordId)),
    draftId === undefined ? undefined : eq(drafts.draftId, draftId),
  );

/** Lists an account's drafts, newest first: those of one form, or all. */
export async function listDrafts(db: Database, { id }: Pick<Account, 'id'>, form: FormKey): Promise<Draft[]> {
  const rows = await db.select().from(drafts).where(ofForm(id, form)).orderBy(desc(drafts.at));
  return rows.flatMap((row) =>
    markOf(row).map((mark) => ({
      ...mark,
      version: row.version,
      values: row.values,
      at: new Date(row.at).toISOString(),
    })),
  );
}

/** Lists the forms for which an account has drafts, newest first, without the text. Lists mark these forms. */
export async function listDraftMarks(db: Database, { id }: Pick<Account, 'id'>): Promise<DraftMark[]> {
  const { section, recordId, draftId } = drafts;
  const rows = await db
    .select({ section, recordId, draftId })
    .from(drafts)
    .where(ofForm(id, {}))
    .orderBy(desc(drafts.at));
  return rows.flatMap(markOf);
}

/**
 * Stores the content of a form as a draft, replacing the draft with the same id.
 * @throws ApiError 422 unknown fields
 */
export async function saveDraft(
  db: Database,
  { id }: Account,
  { section, recordId = '', draftId = '', version, values }: BodyOf<(typeof draftCalls)['PUT /drafts']>,
): Promise<void> {
  const { fields } = sectionNamed(section);
  const unknown = Object.keys(values).find((field) => !(field in fields));
  if (unknown !== undefined) throw invalid({ [unknown]: 'There is no such field.' });
  const kept = { values, version: version ?? null, at: Date.now() };
  const form = ofForm(id, { section, recordId });
  const newest = db
    .select({ draftId: drafts.draftId })
    .from(drafts)
    .where(form)
    .orderBy(desc(drafts.at))
    .limit(maxPerForm);
  const oldestKept = db
    .select({ at: drafts.at })
    .from(drafts)
    .where(ofForm(id, {}))
    .orderBy(desc(drafts.at))
    .limit(1)
    .offset(maxPerAccount - 1);
  await writeBatch(db, [
    assertAccount(db, id),
    db
      .insert(drafts)
      .values({ accountId: id, section, recordId, draftId, ...kept })
      .onConflictDoUpdate({
        target: [drafts.accountId, drafts.section, drafts.recordId, drafts.draftId],
        set: kept,
      }),
    db.delete(drafts).where(and(form, notInArray(drafts.draftId, newest))),
    db.delete(drafts).where(and(ofForm(id, {}), lt(drafts.at, sql`(${oldestKept})`))),
  ]);
}

/**
 * The statement that deletes one or all drafts of a form. It runs in the batch of the save, or when the author discards
 * a draft.
 */
export const deleteDrafts = (
  db: Database,
  { id }: Pick<Account, 'id'>,
  form: Required<Pick<FormKey, 'section'>> & DraftKey,
): Statement & PromiseLike<unknown> => db.delete(drafts).where(ofForm(id, form));

export const sweepDrafts = (db: Database, now: number): Promise<number> =>
  deleteSome(db, drafts, lt(drafts.at, now - keptForMs));

export const draftsOfPerson: PersonalRecords = {
  export: async (db, account) => ({ drafts: await listDrafts(db, account, {}) }),
  forget: (db, { id }) => [db.delete(drafts).where(eq(drafts.accountId, id))],
};
