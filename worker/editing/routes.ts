/** Routes for all sections, mounted by one loop over the registry. */
import { eq, getTableColumns, notExists } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import type { Account } from '#contract/accounts.ts';
import type { AnswerOf, CallTable } from '#contract/call.ts';
import { draftCalls } from '#contract/drafts.calls.ts';
import { historyCalls, sectionEntries, type SectionEntries } from '#contract/content.calls.ts';
import { mediaCalls } from '#contract/media.calls.ts';
import { etagOf } from '#contract/etag.ts';
import { sectionCalls, type ContentRecord, type SectionVerb } from '#contract/section-calls.ts';
import { titleInText } from '#contract/section.ts';
import { sectionNamed, sectionNames, type SectionName } from '#contract/sections/index.ts';
import { longTextOf } from '../content/long-texts.ts';
import { assert } from '../db/assert.ts';
import { isFailedAssertion } from '../db/client.ts';
import { contentTableOf, inDisplayOrder } from '../db/content-tables.ts';
import { callerOf, type AppEnv } from '../http/app.ts';
import { conflict, idempotencyKeyReused, notFound } from '../http/errors.ts';
import { answerList, mount, type CallRequest, type Handlers } from '../http/mount.ts';
import { publish, type Extra, type Published } from '../publishing/publish.ts';
import { receiveFromAddress, receiveMedia } from '../media/upload.ts';
import { hasFile } from '../media/uses.ts';
import { readLive } from '../publishing/live-content.ts';
import { dryRun } from '../publishing/dry-run.ts';
import { setPublicationHeaders } from '../publishing/routes.ts';
import { addedEntry, readHistory, readRemoved, wasAddedAs } from '../content/history.ts';
import { restoreRevision, restoreVersion } from '../content/restore.ts';
import { publicContentOf } from '../content/reader.ts';
import { asText } from '../content/stored.ts';
import { deleteDrafts, saveDraft, listDraftMarks, listDrafts } from './drafts.ts';
import { contentWith } from './preview.ts';
import { readRelease } from './releases.ts';
import { idOfAdded } from './id-of-added.ts';
import { addRecord, removeRecord, reorderRecords, updateRecord, type Edit } from '../content/edits.ts';

/** A record as the API returns it: in a list, without long texts. */
function toPlain(
  name: SectionName,
  row: Readonly<Record<string, unknown>>,
  { isListed = false } = {},
): ContentRecord {
  const fields = Object.entries(sectionNamed(name).fields)
    .filter(([, { long }]) => !(long && isListed))
    .map(([field]) => [field, asText(row[field])]);
  return { _id: asText(row['_id']), ...Object.fromEntries(fields) } as ContentRecord;
}

interface SaveRequest {
  readonly c: Context<AppEnv>;
  readonly account: Account;
}

const save = ({ c, account }: SaveRequest, edit: Edit, extra?: Extra): Promise<Published> =>
  publish(callerOf(c, account), edit, extra);

function answerSaved(c: Context<AppEnv>, published: Published): ContentRecord {
  const saved = published.changes[0];
  const record = saved?.after ?? saved?.before;
  setPublicationHeaders(c, published);
  if (!record) throw new Error('A save of one record changed none.');
  c.header('ETag', etagOf(record.version));
  return { _id: record._id, ...record.values };
}

/**
 * Responds with a stored record, and its version in the `ETag`.
 * @throws ApiError 404
 */
async function readRecord(c: Context<AppEnv>, name: SectionName, id: string): Promise<ContentRecord> {
  const table = contentTableOf(name);
  const [row] = await c.var.db.select().from(table).where(eq(table._id, id));
  if (!row) throw notFound(`We could not find this ${titleInText(sectionNamed(name))}.`);
  c.header('ETag', etagOf(row.version));
  return toPlain(name, row);
}

/**
 * Like `answerSaved`, for a save that changed nothing.
 * @throws ApiError 404 the record was removed in the meantime
 */
function answerUnchanged(c: Context<AppEnv>, published: Published, name: SectionName, id: string) {
  setPublicationHeaders(c, published);
  return readRecord(c, name, id);
}

const saveMedia = async (request: SaveRequest, received: Promise<Edit>) =>
  answerSaved(request.c, await save(request, await received)) as AnswerOf<(typeof mediaCalls)['POST /media']>;

/** The statement that deletes the draft whose id the save sends; without an id, the draft that has none. */
const deleteSubmittedDraft = (
  { c, account }: SaveRequest,
  { draftId = '', ...form }: Parameters<typeof deleteDrafts>[2],
) => deleteDrafts(c.var.db, account, { ...form, draftId });

type SectionHandlers = {
  readonly [V in SectionVerb]: (
    request: CallRequest<SectionEntries[V], V extends 'read' | 'update' | 'remove' ? '/:id' : '/'>,
  ) => AnswerOf<SectionEntries[V]> | Promise<AnswerOf<SectionEntries[V]>>;
};

function sectionHandlers(name: SectionName): SectionHandlers {
  const section = sectionNamed(name);
  const table = contentTableOf(name);

  const listRecords = async (c: Context<AppEnv>) => {
    const columns = { ...getTableColumns(table), ...longTextOf(name, table._id, []) };
    const rows = await c.var.db
      .select(columns)
      .from(table)
      .orderBy(...inDisplayOrder(name));
    return rows.map((row) => toPlain(name, row, { isListed: true }));
  };

  return {
    list: ({ c }) => listRecords(c),

    read: ({ c, id }) => readRecord(c, name, id),

    add: async ({ body, draftId, idempotencyKey, ...request }) => {
      const { db } = request.c.var;
      const id = idOfAdded(idempotencyKey, [request.account.id, name]);
      const extra = () => [
        assert(db, notExists(addedEntry(db, id))),
        deleteSubmittedDraft(request, { section: name, draftId }),
      ];
      const published = await save(request, addRecord(name, body, id), extra).catch((error: unknown) => {
        if (isFailedAssertion(error, 'unchanged')) return undefined;
        throw error;
      });
      if (published && published.changes.length > 0) return answerSaved(request.c, published);
      // The record was already added, and the response to that request was lost.
      if (!(await wasAddedAs(db, id, body))) throw idempotencyKeyReused(titleInText(section));
      if (!published)
        throw conflict(
          `This ${titleInText(section)} was added, but someone has removed it since. You can restore it under Publications.`,
        );
      return answerUnchanged(request.c, published, name, id);
    },

    update: async ({ id, body, draftId, ifMatch, ...request }) => {
      const edit = updateRecord(name, id, body, { ifMatch });
      const deleteDraft = () => deleteSubmittedDraft(request, { section: name, recordId: id, draftId });
      const published = await save(request, edit, () => [deleteDraft()]);
      if (published.changes.length > 0) return answerSaved(request.c, published);
      await deleteDraft();
      return answerUnchanged(request.c, published, name, id);
    },

    remove: async ({ id, ...request }) => answerSaved(request.c, await save(request, removeRecord(name, id))),

    async reorder({ body: { order, orderSeen }, ...request }) {
      setPublicationHeaders(request.c, await save(request, reorderRecords(name, order, orderSeen)));
      return listRecords(request.c);
    },
  };
}

function handlersByCall(name: SectionName) {
  const handlers = sectionHandlers(name);
  return Object.entries(sectionCalls(name)).map(([verb, call]) => [call, handlers[verb as SectionVerb]]);
}

const editBackTo = (c: Context<AppEnv>, revision: string): Promise<Edit> =>
  restoreRevision(c.var.db, Number(revision), (path) => hasFile(c.env, path));

export function mountEditing(app: Hono<AppEnv>): void {
  mount(app, sectionEntries, Object.fromEntries(sectionNames.flatMap(handlersByCall)) as Handlers<CallTable>);

  mount(app, draftCalls, {
    'GET /drafts': ({ c, account, query }) => listDrafts(c.var.db, account, query),
    'GET /drafts/marks': ({ c, account }) => listDraftMarks(c.var.db, account),
    'PUT /drafts': ({ c, account, body }) => saveDraft(c.var.db, account, body),
    'DELETE /drafts': async ({ c, account, body }) => {
      await deleteDrafts(c.var.db, account, body);
    },
  });

  mount(app, mediaCalls, {
    'POST /media': ({ c, account }) =>
      saveMedia({ c, account }, receiveMedia(c.req.raw, callerOf(c, account))),
    'POST /media/from-address': ({ c, account, body }) =>
      saveMedia({ c, account }, receiveFromAddress(c.req.raw, callerOf(c, account), body)),
  });

  mount(app, historyCalls, {
    'GET /content': async ({ c, query: { release } }) => {
      const stored = release === undefined ? undefined : await readRelease(c.var.db, release);
      // The changes of a published release are live, and may have been changed since.
      const changes = stored?.release.publishedAt === null ? stored.changes : [];
      const { content } = await contentWith({ db: c.var.db, env: c.env }, changes);
      return publicContentOf(content);
    },

    'GET /publications/:revision/go-back': async ({ c, revision }) => {
      const { db } = c.var;
      return dryRun(await readLive(db), await editBackTo(c, revision), { db, env: c.env });
    },

    'GET /removed-records': async ({ c, query }) =>
      answerList(c, await readRemoved(c.var.db, Date.now(), query)),

    'GET /history/:id': async ({ c, id, query }) => answerList(c, await readHistory(c.var.db, id, query)),

    'POST /history/:id/restore': async ({ c, account, id, ifMatch, body: { version } }) => {
      const { name, edit } = await restoreVersion(c.var.db, id, version, ifMatch);
      const published = await save({ c, account }, edit);
      return published.changes.length > 0
        ? answerSaved(c, published)
        : answerUnchanged(c, published, name, id);
    },

    'POST /publications/:revision/go-back': async ({ c, account, revision, ifMatch }) => {
      const context = { ...callerOf(c, account), ifMatch };
      const published = await publish(context, await editBackTo(c, revision));
      setPublicationHeaders(c, published);
      return { revision: published.revision };
    },
  });
}
