/**
 * The soak: a brisk mix of everything for a while, and whether anything grows that should not. `SOAK_MINUTES` says how
 * long (3 by default, 30 with `FULL=1`).
 */
import { setTimeout as wait } from 'node:timers/promises';
import { newId } from '#contract/ids.ts';
import { contentPages } from '#contract/screens.ts';
import { clientSecretFor, confirmCard, placeOrder, sendFile } from '../support/orders.ts';
import { administrator as owner } from '../support/system.ts';
import { registerCustomer, signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';
import { openSystemDatabase } from './database.ts';
import { atMost, median, percentile, times, type Measure } from './figures.ts';
import { startDeployed, type Deployed } from './runtime.ts';

const minutes = Number(process.env['SOAK_MINUTES'] ?? (process.env['FULL'] ? 30 : 3));
/** The time is divided into this many stretches. The second quarter of them is compared with the last. */
const stretches = 60;

/** What is done again and again, and the pause after each, in ms. */
const pausesMs = {
  page: 10,
  save: 400,
  sale: 400,
  message: 500,
  // An account may upload 300 files an hour.
  upload: 6_500,
  signIn: 5_000,
  cron: 5_000,
} as const;
const visitorsAtOnce = 4;

/** What one stretch showed. */
interface Stretch {
  /** The least that the Worker's isolate held, which is what garbage collection leaves. Cloudflare ends one beyond 128 MB. */
  readonly megabytes: number;
  readonly pagesMs: readonly number[];
  readonly callsMs: readonly number[];
}

/** The least that the isolate holds within some time, in MB. */
async function leastHeap(readHeap: () => Promise<number>, forMs: number): Promise<number> {
  const until = performance.now() + forMs;
  let least = Infinity;
  for (let leftMs = forMs; leftMs > 0; leftMs = until - performance.now()) {
    await wait(Math.min(1_000, leftMs));
    // An inspector that does not answer in time is asked again.
    least = Math.min(least, await readHeap().catch(() => Infinity));
  }
  return least / 1e6;
}

/** The traffic: each kind of work in a loop of its own until the time is up. */
class Traffic {
  readonly counts: Record<string, number> = {};
  failures: string[] = [];
  pagesMs: number[] = [];
  callsMs: number[] = [];
  readonly until = Date.now() + minutes * 60_000;

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
  if (status !== wanted) throw new Error(`returned ${String(status)}: ${text.slice(0, 200)}`);
}

/** Everything at once, until the time is up. */
async function run(traffic: Traffic, { url, system, tick }: Deployed): Promise<void> {
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
    traffic.loop('save', async (index) => {
      const values = { serviceTitle: `Service ${String(index)}` };
      expectStatus(await administrator.put(`/api/service-item/${service?._id ?? ''}`, values), 200);
    }),
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
    traffic.loop('upload', async (index) => {
      const name = `${String(index)}.txt`;
      expectStatus(await sendFile(customer, lastOrder, newId().repeat(5_000), { name }), 201);
    }),
    traffic.loop('signIn', async () =>
      expectStatus(await new Visitor(url).post('/api/auth/login', owner), 200),
    ),
    traffic.loop('cron', tick),
  ]);
}

/** Has the cron make the nightly backup once more. */
async function backUpAgain({ system }: Deployed): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
  await db.$client.execute(`DELETE FROM job_runs WHERE name = 'backup'`);
  close();
}

export const soak: Measure = {
  name: 'soak',
  how: `${String(minutes)} minutes of pages, saves, sales, messages, uploads, sign-ins, cron and two backups at once`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      const readHeap = await deployed.openHeap();
      const traffic = new Traffic();
      const running = run(traffic, deployed);
      const taken: Stretch[] = [];
      for (let count = 0; count < stretches; count += 1) {
        const megabytes = await leastHeap(readHeap, (minutes * 60_000) / stretches);
        taken.push({ megabytes, ...traffic.take() });
        if (count === stretches / 2) await backUpAgain(deployed);
      }
      await running;
      for (const [kind, count] of Object.entries(traffic.counts)) tell({ of: kind, value: String(count) });
      tell(atMost('failures', traffic.failures.length, 0, String));
      for (const failure of new Set(traffic.failures.slice(0, 5))) console.log(failure);

      const quarters = [taken.slice(stretches / 4, stretches / 2), taken.slice(-stretches / 4)] as const;
      /** What a figure was in the last quarter, beside the second. */
      const compare = (
        of: string,
        read: (part: readonly Stretch[]) => number,
        unit: string,
        most: number,
      ) => {
        const [before, after] = [read(quarters[0]), read(quarters[1])];
        const told = `${times(after / before)} (${before.toFixed(1)}, then ${after.toFixed(1)} ${unit})`;
        tell(atMost(`${of}, last quarter beside the second`, after / before, most, times, told));
      };
      const p99 = (of: 'pagesMs' | 'callsMs') => (part: readonly Stretch[]) =>
        percentile(
          part.flatMap((one) => one[of]),
          0.99,
        );
      const memory = (part: readonly Stretch[]) => median(part.map((one) => one.megabytes));
      compare('memory of the isolate', memory, 'MB', 1.1);
      compare('pages, p99', p99('pagesMs'), 'ms', 1.5);
      compare('all other calls, p99', p99('callsMs'), 'ms', 1.5);
    } finally {
      await deployed.stop();
    }
  },
};
