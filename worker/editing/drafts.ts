/**
 * What an administrator typed into a form and did not save: kept for its author alone, on whatever device they return. A
 * draft goes with the batch that saves it, holds nobody up, and is swept after a while. One that is offered and not decided
 * on stays while another is typed.
 */
import { and, desc, eq, lt, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Account } from '#contract/accounts.ts';
import type { BodyOf } from '#contract/call.ts';
import type { draftCalls } from '#contract/calls/drafts.ts';
import type { Draft, DraftMark } from '#contract/drafts.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { ownerId } from '../accounts/owner.ts';
import type { PersonalRecords } from '../accounts/personal-data.ts';
import { sectionOf } from '../content/history.ts';
import { writeBatch, type Database, type Statement } from '../db/client.ts';
import { deleteSome } from '../db/delete-some.ts';
import { invalid } from '../http/errors.ts';
import { drafts } from './schema.ts';

/** Drafts are kept for so long after the last key, in ms. */
const keptForMs = 30 * 86_400_000;
/** Of one form so many are kept, the newest. */
const mostOfForm = 10;
/** And of an account so many. */
const mostOfAccount = 100;

/** A form: that of a record, or, without one, the form that adds to a section. */
interface FormKey {
  readonly section?: SectionName | undefined;
  readonly recordId?: string | undefined;
}

/** A draft of a form; without its id all of them. */
interface DraftKey extends FormKey {
  readonly draftId?: string | undefined;
}

function describeDraft({
  section,
  recordId,
  draftId,
  version,
  values,
  at,
}: typeof drafts.$inferSelect): Draft[] {
  const name = sectionOf(section);
  if (!name) return [];
  return [
    {
      draftId,
      section: name,
      recordId: recordId || null,
      version,
      values,
      at: new Date(at).toISOString(),
    },
  ];
}

const ofForm = (accountId: string, { section, recordId = '', draftId }: DraftKey): SQL | undefined =>
  and(
    eq(drafts.accountId, accountId),
    ...(section === undefined ? [] : [eq(drafts.section, section), eq(drafts.recordId, recordId)]),
    ...(draftId === undefined ? [] : [eq(drafts.draftId, draftId)]),
  );

/** The drafts of an account, newest first: those of one form, or all. */
export async function listDrafts(db: Database, { id }: Pick<Account, 'id'>, form: FormKey): Promise<Draft[]> {
  const rows = await db.select().from(drafts).where(ofForm(id, form)).orderBy(desc(drafts.at));
  return rows.flatMap(describeDraft);
}

/** Which forms an account has drafts of, newest first: what marks them in a list needs none of their texts. */
export async function listDraftMarks(db: Database, { id }: Pick<Account, 'id'>): Promise<DraftMark[]> {
  const { section, recordId, draftId } = drafts;
  const rows = await db
    .select({ section, recordId, draftId })
    .from(drafts)
    .where(ofForm(id, {}))
    .orderBy(desc(drafts.at));
  return rows.flatMap((row) => {
    const name = sectionOf(row.section);
    return name ? [{ draftId: row.draftId, section: name, recordId: row.recordId || null }] : [];
  });
}

/** Keeps what stands in a form, in the place of what was kept under the same id before. @throws ApiError 422 unknown fields */
export async function keepDraft(
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
    .limit(mostOfForm);
  const oldestKept = db
    .select({ at: drafts.at })
    .from(drafts)
    .where(ofForm(id, {}))
    .orderBy(desc(drafts.at))
    .limit(1)
    .offset(mostOfAccount - 1);
  await writeBatch(db, [
    db
      .insert(drafts)
      .values({ accountId: ownerId(id), section, recordId, draftId, ...kept })
      .onConflictDoUpdate({
        target: [drafts.accountId, drafts.section, drafts.recordId, drafts.draftId],
        set: kept,
      }),
    db.delete(drafts).where(and(form, notInArray(drafts.draftId, newest))),
    db.delete(drafts).where(and(ofForm(id, {}), lt(drafts.at, sql`(${oldestKept})`))),
  ]);
}

/** The statement that forgets a draft of a form, or all: for the batch of the save, or when its author does not want it. */
export const forgetDraft = (
  db: Database,
  { id }: Pick<Account, 'id'>,
  form: Required<Pick<FormKey, 'section'>> & DraftKey,
): Statement & PromiseLike<unknown> => db.delete(drafts).where(ofForm(id, form));

/** Deletes what nobody has come back to. Run by the cron trigger. */
export const sweepDrafts = (db: Database, now: number): Promise<number> =>
  deleteSome(db, drafts, lt(drafts.at, now - keptForMs));

/** The drafts of a person. */
export const draftsOfPerson: PersonalRecords = {
  export: async (db, account) => ({ drafts: await listDrafts(db, account, {}) }),
  forget: (db, { id }) => [db.delete(drafts).where(eq(drafts.accountId, id))],
};
