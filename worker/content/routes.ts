/** The calls of all sections, mounted by one loop over the registry. */
import { asc, eq } from 'drizzle-orm';
import type { Context, Hono } from 'hono';
import { z } from 'zod';
import { checkFirstRun, firstAdministrator } from '../accounts/setup.ts';
import { normalizeEmail } from '../contract/accounts.ts';
import { calls, sectionCalls } from '../contract/calls.ts';
import { addSchema, updateSchema } from '../contract/fields.ts';
import { sectionNamed, sectionNames, type SectionName } from '../contract/sections/index.ts';
import { contentTableOf } from '../db/content-tables.ts';
import type { AppEnv } from '../http/app.ts';
import { check, readBody } from '../http/body.ts';
import { conflict, notFound } from '../http/errors.ts';
import { mount } from '../http/mount.ts';
import { publish, type Published, type SaveContext } from '../publishing/publish.ts';
import { goBackTo, readHistory, restoreVersion } from './history.ts';
import { asText } from './reader.ts';
import { addRecord, etagOf, removeRecord, reorderRecords, updateRecord, type Edit } from './edits.ts';

interface PlainRecord {
  readonly _id: string;
  readonly [field: string]: string;
}

function toPlain(name: SectionName, row: Readonly<Record<string, unknown>>): PlainRecord {
  const fields = Object.keys(sectionNamed(name).fields).map((field) => [field, asText(row[field])]);
  return { _id: asText(row['_id']), ...Object.fromEntries(fields) } as PlainRecord;
}

/** Whether a caller may see a record of a section that shows people only their own. */
function maySee(c: Context<AppEnv>, name: SectionName, record: PlainRecord): boolean {
  if (sectionNamed(name).read !== 'own') return true;
  const { account } = c.var;
  return (
    account !== undefined && (account.isAdmin || normalizeEmail(record['userEmail'] ?? '') === account.email)
  );
}

const saveContext = (c: Context<AppEnv>, by = c.var.account?.email ?? ''): SaveContext => ({
  db: c.var.db,
  env: c.env,
  log: c.var.log,
  by,
  waitUntil: (work) => c.executionCtx.waitUntil(work),
});

/** Saves and publishes an edit as the caller. */
const save = (c: Context<AppEnv>, edit: Edit): Promise<Published> => publish(saveContext(c), edit);

const firstRunFields = z.looseObject({
  setupToken: z.string().max(256).optional(),
  password: z.string().max(256).optional(),
});

/**
 * Adds a record of a section that serves the first run: for an administrator as in any section, and for whoever has
 * the set-up token while there is no administrator, which makes the first one and signs them in.
 * @throws ApiError 401, 403, 409 when a rival was first
 */
async function addInFirstRun(
  c: Context<AppEnv>,
  name: SectionName,
  schema: ReturnType<typeof addSchema>,
): Promise<Published> {
  const body = await readBody(c, firstRunFields);
  const { setupToken, password = '', ...fields } = body;
  if ((await checkFirstRun(c, setupToken)) === 'administrator')
    return save(c, addRecord(name, check(schema, body)));
  if (name !== 'adminUser') return save(c, addRecord(name, check(schema, fields)));

  const values: Record<string, string> = { ...check(schema, fields), userRole: 'Admin' };
  const email = values['userEmail'] ?? '';
  const { statements, signIn } = await firstAdministrator(c, { email, password });
  const edit: Edit = (content) => {
    if (content.adminUser.some((record) => record.values['userRole'] === 'Admin'))
      throw conflict('This site has its administrator already.');
    return addRecord(name, values)(content);
  };
  const published = await publish(saveContext(c, email), edit, () => statements);
  await signIn();
  return published;
}

/** Says in the headers of an answer what was published. */
function tellPublished(c: Context<AppEnv>, { revision, changedPages, timings }: Published): void {
  c.header('X-Content-Revision', String(revision));
  c.header('X-Changed-Pages', changedPages.join(','));
  const { readMs, renderMs, writeMs } = timings;
  const parts = Object.entries({ read: readMs, render: renderMs, write: writeMs });
  // https://www.w3.org/TR/server-timing/
  c.header('Server-Timing', parts.map(([part, ms]) => `${part};dur=${String(ms ?? 0)}`).join(', '));
}

/** The answer to a save: the record, its version, and what was published. */
function answerSaved(c: Context<AppEnv>, published: Published, status: 200 | 201): Response {
  const saved = published.changes[0];
  const record = saved?.after ?? saved?.before;
  tellPublished(c, published);
  if (!saved || !record) return c.body(null, 204);
  c.header('ETag', etagOf(record));
  return c.json({ _id: record._id, ...record.values }, status);
}

function mountSection(app: Hono<AppEnv>, name: SectionName): void {
  const section = sectionNamed(name);
  const table = contentTableOf(name);
  const { list, add, read, update, remove, reorder } = sectionCalls(name);
  const [forAdd, forUpdate] = [addSchema(section), updateSchema(section)];

  const listRecords = async (c: Context<AppEnv>) => {
    const rows = await c.var.db.select().from(table).orderBy(asc(table.position), asc(table._id));
    return rows.map((row) => toPlain(name, row)).filter((record) => maySee(c, name, record));
  };

  if (list) mount(app, list, async (c) => c.json(await listRecords(c)));

  if (read)
    mount(app, read, async (c, id) => {
      const [row] = await c.var.db.select().from(table).where(eq(table._id, id));
      const record = row && toPlain(name, row);
      if (!record || !maySee(c, name, record))
        throw notFound(`There is no such ${section.title.toLowerCase()}.`);
      c.header('ETag', etagOf(row));
      return c.json(record);
    });

  if (add)
    mount(app, add, async (c) => {
      if (add.who === 'anyone') return answerSaved(c, await addInFirstRun(c, name, forAdd), 201);
      const values = await readBody(c, forAdd);
      return answerSaved(c, await save(c, addRecord(name, values)), 201);
    });

  if (update)
    mount(app, update, async (c, id) => {
      const values = await readBody(c, forUpdate);
      const ifMatch = c.req.header('If-Match');
      return answerSaved(c, await save(c, updateRecord(name, id, values, { ifMatch })), 200);
    });

  if (remove) mount(app, remove, async (c, id) => answerSaved(c, await save(c, removeRecord(name, id)), 200));

  if (reorder)
    mount(app, reorder, async (c) => {
      const { order } = await readBody(c, z.strictObject({ order: z.array(z.string()).max(10_000) }));
      tellPublished(c, await save(c, reorderRecords(name, order)));
      return c.json(await listRecords(c));
    });
}

export function mountContent(app: Hono<AppEnv>): void {
  for (const name of sectionNames) mountSection(app, name);

  mount(app, calls.recordHistory, async (c, id) => c.json(await readHistory(c.var.db, id)));

  mount(app, calls.restoreVersion, async (c, id) => {
    const { version } = await readBody(c, z.strictObject({ version: z.int().min(1) }));
    return answerSaved(c, await save(c, await restoreVersion(c.var.db, id, version)), 200);
  });

  mount(app, calls.goBack, async (c, revision) => {
    const published = await save(c, await goBackTo(c.var.db, Number(revision)));
    tellPublished(c, published);
    return c.json({ revision: published.revision });
  });
}
