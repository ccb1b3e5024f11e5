/**
 * What a year leaves in the database. Some saves and one paid order are made by the site itself; what they left in all
 * tables is multiplied. Then the cron deletes what it deletes, and a backup is made.
 */
import type { Client, InStatement, InValue } from '@libsql/client';
import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { newId } from '#contract/ids.ts';
import { beginDump, continueDump } from '#worker/operations/dump.ts';
import { confirmCard, clientSecretFor, placeOrder } from '../support/orders.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { registerCustomer, signInAdministrator } from '../support/visitor.ts';
import { openSystemDatabase } from './database.ts';
import { time, type Figure, type Measure } from './figures.ts';

type Tell = (figure: Figure) => void;
type Row = Readonly<Record<string, InValue>>;
/** Rows of several tables that belong together. */
type Sample = readonly (readonly [table: string, row: Row])[];

const setting = (name: string, usual: number): number => Number(process.env[name] ?? usual);
const deploys = setting('DEPLOYS', 100);
const saves = setting('SAVES', 5_000);
const orders = setting('ORDERS', 50_000);

const yearMs = 365 * 86_400_000;
/** Statements that are sent at once. */
const atOnce = 2_000;
/** Further apart than the samples are: numbers that must differ. */
const stride = 1_000;

const grouped = new Intl.NumberFormat('en-US');
const MB = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;

/** Every row but the pages', table by table in the order in which they came. */
async function readRows(client: Client): Promise<Map<string, Row[]>> {
  const { rows: tables } = await client.execute(
    "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT IN ('pages', 'page_sets')",
  );
  const names = (tables as unknown as { name: string }[]).map(({ name }) => name);
  const results = await client.batch(names.map((name) => `SELECT * FROM "${name}" ORDER BY rowid`));
  return new Map(names.map((name, index) => [name, results[index]?.rows.map((row) => ({ ...row })) ?? []]));
}

/** Does something, and tells which rows it left that were not there before. */
async function sampleOf(client: Client, work: () => Promise<unknown>): Promise<Sample> {
  const before = await readRows(client);
  await work();
  const after = await readRows(client);
  return [...after].flatMap(([table, rows]) =>
    rows.slice(before.get(table)?.length ?? 0).map((row) => [table, row] as const),
  );
}

const anyId = /[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\b(?:pi|ch|py|re|txn)_\w+/g;
const numbered = new Set(['number', 'revision', 'sequence']);

/** A sample once more: under ids and numbers of its own, but for those of what was there before it. */
function repeat(sample: Sample, index: number, at: number): InStatement[] {
  const own = new Set(sample.map(([, row]) => row['_id'] ?? row['id']));
  const made = new Map<string, string>();
  const renew = (id: string): string => {
    if (!id.includes('_') && !own.has(id)) return id;
    const known = made.get(id) ?? (id.includes('_') ? `${id}${index}` : newId(at));
    made.set(id, known);
    return known;
  };
  return sample.map(([table, row]) => {
    const values = Object.entries(row).map(([name, value]): [string, InValue] => {
      if (typeof value === 'string') return [name, value.replaceAll(anyId, renew)];
      return [name, numbered.has(name) && typeof value === 'number' ? value + index * stride : value];
    });
    const columns = values.map(([name]) => `"${name}"`).join(', ');
    // Totals and the like are there already: an order adds to them, but no row.
    return {
      sql: `INSERT OR IGNORE INTO "${table}" (${columns}) VALUES (${values.map(() => '?').join(', ')})`,
      args: values.map(([, value]) => value),
    };
  });
}

/** Spreads samples over a year. */
async function multiply(client: Client, samples: readonly Sample[], length: number): Promise<void> {
  let waiting: InStatement[] = [];
  for (let index = 1; index <= length; index += 1) {
    const at = Math.floor(Date.now() - yearMs + (index * yearMs) / length);
    waiting.push(...repeat(samples[index % samples.length] ?? [], index, at));
    if (waiting.length < atOnce && index < length) continue;
    await client.batch(waiting, 'write');
    waiting = [];
  }
}

async function takeSaves({ url }: TestSystem, client: Client): Promise<Sample[]> {
  const administrator = await signInAdministrator(url);
  const samples: Sample[] = [];
  for (const [list, update, field] of [
    ['/banner', '/update-banner', 'bannerDetails'],
    ['/faq-items', '/faq-item', 'accodingText'],
    ['/worksec', '/update-worksec', 'stepDetails'],
  ] as const) {
    const { json } = await administrator.get(`/api${list}`);
    const [record] = json as readonly { readonly _id: string; readonly [name: string]: string }[];
    samples.push(
      await sampleOf(client, async () => {
        const values = { [field]: `${record?.[field] ?? ''} And some words more, as people write them.` };
        const { status, text } = await administrator.put(`/api${update}/${record?._id ?? ''}`, values);
        if (status !== 200) throw new Error(`A save answered ${status}: ${text}`);
      }),
    );
  }
  return samples;
}

/** One order from its beginning to its payment, all mails sent. */
async function takeOrder(system: TestSystem, client: Client): Promise<Sample> {
  const customer = await registerCustomer(system.url);
  const isTrue = async (sql: string) => Number((await client.execute(sql)).rows[0]?.[0]) > 0;
  const until = async (sql: string) => {
    while (!(await isTrue(sql))) await system.worker.tick();
  };
  await until('SELECT count(*) = 0 FROM mails');
  return sampleOf(client, async () => {
    const order = await placeOrder(customer);
    await confirmCard(customer, system.stripe?.url ?? '', await clientSecretFor(customer, order));
    await until(`SELECT count(*) FROM orders WHERE _id = '${order._id}' AND "paymentStatus" = 'Paid'`);
    await until('SELECT count(*) = 0 FROM mails');
  });
}

/** Pages as deployments of a year have stored them. */
async function deployOften(client: Client): Promise<void> {
  await client.batch(
    Array.from({ length: deploys }, (_, index) => index + 1).flatMap((index): InStatement[] => [
      {
        sql: `INSERT INTO pages ("buildId", path, html, etag, csp, revision)
          SELECT ?, path, html, etag, csp, revision FROM pages WHERE "buildId" = (SELECT "buildId" FROM page_sets WHERE "buildId" NOT LIKE 'build %')`,
        args: [`build ${index}`],
      },
      {
        sql: 'INSERT INTO page_sets ("buildId", revision, "renderedAt") VALUES (?, 1, ?)',
        args: [`build ${index}`, Math.floor(Date.now() - yearMs + (index * yearMs) / deploys)],
      },
    ]),
    'write',
  );
}

/** The size of each table with its indexes, the largest first. */
async function tellSizes(client: Client, tell: Tell, when: string): Promise<void> {
  const { rows } = await client.execute(
    `SELECT coalesce(m.tbl_name, s.name) AS "table", sum(s.pgsize) AS size FROM dbstat AS s LEFT JOIN sqlite_master AS m ON m.name = s.name
     GROUP BY 1 ORDER BY 2 DESC`,
  );
  const sizes = rows as unknown as { table: string; size: number }[];
  tell({ of: `${when}: all`, value: MB(sizes.reduce((sum, { size }) => sum + size, 0)) });
  for (const { table, size } of sizes.filter((one) => one.size > 500_000)) {
    const { rows: counted } = await client.execute(`SELECT count(*) FROM "${table}"`);
    tell({ of: `${when}: ${table}`, value: `${MB(size)}, ${grouped.format(Number(counted[0]?.[0]))} rows` });
  }
}

async function tellBackup(client: Client, tell: Tell): Promise<void> {
  let plain = 0;
  let compressed = 0;
  const seconds =
    (await time(async () => {
      const begun = await beginDump(client);
      async function* texts() {
        for await (const { text } of continueDump(client, begun)) {
          plain += text.length;
          yield text;
        }
      }
      for await (const chunk of Readable.from(texts()).pipe(createGzip()))
        compressed += (chunk as Uint8Array).length;
    })) / 1_000;
  tell({
    of: 'a backup of it',
    value: `${MB(plain)}, ${MB(compressed)} compressed, ${seconds.toFixed(1)} s`,
  });
}

export const year: Measure = {
  name: 'year',
  how: `what ${grouped.format(deploys)} deployments, ${grouped.format(saves)} saves and ${grouped.format(orders)} paid orders leave in the database (DEPLOYS, SAVES, ORDERS)`,
  take: async (tell) => {
    const system = await startTestSystem();
    const { db, close } = openSystemDatabase(system.database);
    const client = db.$client;
    try {
      const edits = await takeSaves(system, client);
      const sale = await takeOrder(system, client);
      await multiply(client, edits, saves);
      await multiply(client, [sale], orders);
      await deployOften(client);
      await tellSizes(client, tell, 'before the cron');
      for (let run = 0; run <= deploys / 5; run += 1) await system.worker.tick();
      await tellSizes(client, tell, 'after it');
      await tellBackup(client, tell);
    } finally {
      close();
      await system.stop();
    }
  },
};
