/**
 * The soak: a brisk mix of everything for a while, and whether anything grows that should not. `SOAK_MINUTES` says how long
 * (3 by default, 30 with `FULL=1`); figures are taken of sixty equal stretches of it.
 */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '#contract/ids.ts';
import { contentPages } from '#contract/screens.ts';
import { clientSecretFor, confirmCard, placeOrder, sendFile } from '../support/orders.ts';
import { administrator as owner } from '../support/system.ts';
import { registerCustomer, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';
import { openSystemDatabase } from './database.ts';
import { median, ms, percentile, type Figure, type Measure } from './figures.ts';
import { startDeployed, type Deployed } from './runtime.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? (process.env['FULL'] ? 30 : 3));
const stretches = 60;

/** What is done over and over, with a pause after each, in ms. */
const pausesMs = {
  page: 10,
  save: 400,
  sale: 400,
  message: 500,
  // An account may send 300 files an hour.
  upload: 6_500,
  signIn: 5_000,
  cron: 5_000,
} as const;
const visitorsAtOnce = 4;

/** Resident memory of the processes that this one has started whose name is workerd's, in MB. Linux alone tells. */
async function workerdMegabytes(): Promise<number> {
  const stats = await Promise.all(
    (await readdir('/proc')).filter(Number).map(async (pid) => {
      const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, name = '', rest = ''] = /\((.*)\) (.*)/.exec(text) ?? [];
      return { pid: Number(pid), name, fields: rest.split(' ') };
    }),
  );
  const parents = new Map(stats.map(({ pid, fields }) => [pid, Number(fields[1])]));
  const isOurs = (pid: number): boolean =>
    pid === process.pid || (parents.has(pid) && isOurs(parents.get(pid) ?? 0));
  const pages = stats
    .filter(({ pid, name }) => name.includes('workerd') && isOurs(pid))
    .reduce((sum, { fields }) => sum + Number(fields[21]), 0);
  if (pages === 0) throw new Error('No process of workerd is found; the soak needs Linux.');
  return (pages * 4_096) / 1e6;
}

/** The least that the isolate holds within some time, in MB. */
async function leastHeap(readHeap: () => Promise<number>, forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  let least = Infinity;
  for (let leftMs = forMs; leftMs > 0; leftMs = until - performance.now()) {
    await wait(Math.min(1_000, leftMs));
    // One that does not answer in time is asked again.
    least = Math.min(least, await readHeap().catch(() => Infinity));
  }
  return least / 1e6;
}

/** What one stretch of the time showed. */
interface Stretch {
  /** Of the processes of workerd, with all that stands for Cloudflare there: the bucket, images, files. */
  readonly megabytes: number;
  /** The least that the Worker's isolate held, looked at each second: what garbage leaves. Cloudflare ends one beyond 128 MB. */
  readonly heapMegabytes: number;
  readonly pagesMs: readonly number[];
  readonly callsMs: readonly number[];
}

/** Values as a plot of letters: time goes to the right, the highest value touches the top. */
export function plot(values: readonly number[], height = 6): string {
  const top = Math.max(...values);
  return Array.from({ length: height }, (_, row) => {
    const line = values
      .map((value) => (top > 0 && (value / top) * height > height - 1 - row ? '█' : ' '))
      .join('');
    return `${row === 0 ? top.toFixed(0).padStart(6) : row === height - 1 ? '0'.padStart(6) : ' '.repeat(6)} │${line}`;
  }).join('\n');
}

/** The traffic: each kind of work in a loop of its own until the time is up. */
class Traffic {
  readonly counts: Record<string, number> = {};
  failures: string[] = [];
  pagesMs: number[] = [];
  callsMs: number[] = [];
  readonly until = Date.now() + minutes * 60_000;
  readonly deployed: Deployed;

  constructor(deployed: Deployed) {
    this.deployed = deployed;
  }

  /** Takes what was measured since the last time. */
  take(): Pick<Stretch, 'pagesMs' | 'callsMs'> {
    const { pagesMs, callsMs } = this;
    [this.pagesMs, this.callsMs] = [[], []];
    return { pagesMs, callsMs };
  }

  async loop(kind: keyof typeof pausesMs, work: (index: number) => Promise<void>): Promise<void> {
    for (let index = 0; Date.now() < this.until; index += 1) {
      const startedAt = performance.now();
      try {
        await work(index);
        this.counts[kind] = (this.counts[kind] ?? 0) + 1;
      } catch (error) {
        this.failures.push(`${kind}: ${String(error)}`);
      }
      const took = performance.now() - startedAt;
      if (kind === 'page') this.pagesMs.push(took);
      else if (kind !== 'cron') this.callsMs.push(took);
      await wait(pausesMs[kind]);
    }
  }
}

function expectStatus({ status, text }: Answer, wanted: number): void {
  if (status !== wanted) throw new Error(`answered ${String(status)}: ${text.slice(0, 200)}`);
}

/** Everything at once, until the time is up. */
async function run(traffic: Traffic): Promise<void> {
  const { url, system, tick } = traffic.deployed;
  const administrator = await signInAdministrator(url);
  const customer = await registerCustomer(url);
  const visitor = new Visitor(url);
  const paths = contentPages.map(({ pattern }) => pattern);
  const [service] = (await administrator.get('/api/service-items')).json as readonly {
    readonly _id: string;
  }[];
  let lastOrder = (await placeOrder(customer))._id;
  await Promise.all([
    ...Array.from({ length: visitorsAtOnce }, () =>
      traffic.loop('page', async (index) =>
        expectStatus(await visitor.get(paths[index % paths.length] ?? '/'), 200),
      ),
    ),
    traffic.loop('save', async (index) =>
      expectStatus(
        await administrator.put(`/api/service-item/${service?._id ?? ''}`, {
          serviceTitle: `Service ${String(index)}`,
        }),
        200,
      ),
    ),
    traffic.loop('sale', async () => {
      const order = await placeOrder(customer);
      await confirmCard(customer, system.stripe?.url ?? '', await clientSecretFor(customer, order));
      expectStatus(await customer.put(`/api/order/${order._id}`, { paymentStatus: 'Paid' }), 200);
      lastOrder = order._id;
    }),
    traffic.loop('message', async (index) => {
      const text = `A question about the packages, number ${String(index)}`;
      const message = { name: 'Ann', email: 'jo@hp.io', number: '1', subject: text, message: text };
      expectStatus(await visitor.post('/api/add-message', message), 201);
    }),
    traffic.loop('upload', async (index) =>
      expectStatus(
        await sendFile(customer, lastOrder, newId().repeat(5_000), { name: `${String(index)}.txt` }),
        201,
      ),
    ),
    traffic.loop('signIn', async () =>
      expectStatus(await new Visitor(url).post('/api/auth/login', owner), 200),
    ),
    traffic.loop('cron', tick),
  ]);
}

/** Rows that come and go, and must not only come. */
const passing = ['attempts', 'account_tokens', 'mails', 'page_sets'] as const;

async function countPassing(system: Deployed['system']): Promise<Record<string, number>> {
  const { db, close } = openSystemDatabase(system.database);
  try {
    const results = await db.$client.batch(
      passing.map((table) => `SELECT count(*) AS n FROM ${table}`),
      'read',
    );
    return Object.fromEntries(
      results.map(({ rows }, index) => [passing[index] ?? '', Number(rows[0]?.['n'])]),
    );
  } finally {
    close();
  }
}

/** The nightly backup is made once more. */
async function backUpAgain(system: Deployed['system']): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
  await db.$client.execute(`DELETE FROM job_runs WHERE name = 'backup'`);
  close();
}

function tellOf(taken: readonly Stretch[], tell: (figure: Figure) => void): void {
  const quarter = Math.floor(taken.length / 4);
  const quarters = [taken.slice(quarter, 2 * quarter), taken.slice(-quarter)] as const;
  const p99 = (of: 'pagesMs' | 'callsMs') =>
    quarters.map((part) =>
      percentile(
        part.flatMap((one) => one[of]),
        0.99,
      ),
    );
  for (const [of, name] of [
    ['heapMegabytes', 'memory of the isolate'],
    ['megabytes', 'memory of workerd with its bucket'],
  ] as const) {
    const [before = 0, after = 0] = quarters.map((part) => median(part.map((one) => one[of])));
    tell({
      of: `${name}, second quarter and last`,
      value: `${before.toFixed(1)} MB · ${after.toFixed(1)} MB`,
      goal: 'at most a tenth more',
      met: after <= before * 1.1,
    });
  }
  for (const [of, name] of [
    ['pagesMs', 'pages'],
    ['callsMs', 'saves, sales, messages, uploads, sign-ins'],
  ] as const) {
    const [early = 0, late = 0] = p99(of);
    tell({
      of: `${name}: p99, second quarter and last`,
      value: `${ms(early)} · ${ms(late)}`,
      goal: 'at most half as much again',
      met: late <= early * 1.5,
    });
  }
  console.log(`\nmemory of the isolate, MB\n${plot(taken.map(({ heapMegabytes }) => heapMegabytes))}`);
  console.log(`\nmemory of workerd, MB\n${plot(taken.map(({ megabytes }) => megabytes))}`);
  console.log(`\np99 of pages, ms\n${plot(taken.map(({ pagesMs }) => percentile(pagesMs, 0.99) || 0))}`);
}

export const soak: Measure = {
  name: 'soak',
  how: `${String(minutes)} minutes of pages, saves, sales, messages, uploads, sign-ins, cron and two backups at once`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      const readHeap = await deployed.openHeap();
      const traffic = new Traffic(deployed);
      const running = run(traffic);
      const taken: Stretch[] = [];
      for (let count = 0; count < stretches; count += 1) {
        const heapMegabytes = await leastHeap(readHeap, (minutes * 60_000) / stretches);
        taken.push({ megabytes: await workerdMegabytes(), heapMegabytes, ...traffic.take() });
        if (count === stretches / 2) await backUpAgain(deployed.system);
      }
      await running;
      await deployed.tick();
      for (const [kind, count] of Object.entries(traffic.counts)) tell({ of: kind, value: String(count) });
      const failed = traffic.failures.length;
      tell({ of: 'that failed', value: String(failed), goal: '0', met: failed === 0 });
      for (const failure of new Set(traffic.failures.slice(0, 5))) console.log(failure);
      tellOf(taken, tell);
      for (const [table, count] of Object.entries(await countPassing(deployed.system)))
        tell({ of: `rows of ${table} at the end`, value: String(count) });
    } finally {
      await deployed.stop();
    }
  },
};
