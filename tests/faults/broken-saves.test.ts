/**
 * The Worker is killed during saves. Record, history, publication and pages are either all stored or not stored at all,
 * and a failed save never returns success.
 */
import { createClient, type Client } from '@libsql/client';
import { randomInt } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { asText } from '#worker/content/stored.ts';
import type { WorkerProcess } from '#dev/system/worker-process.ts';
import { firstRecord, isStandIn, revisionOf, type PlainRecord } from '../support/content.ts';
import { startDatabaseProxy, type DatabaseProxy } from '../support/database-proxy.ts';
import { fullSize, untilMs } from '../support/limits.ts';
import { startTestSystem, type TestSystem } from '../support/system.ts';
import { signInAdministrator, Visitor, type Answer } from '../support/visitor.ts';

let system: TestSystem;
let proxy: DatabaseProxy;
let database: Client;
let worker: WorkerProcess;
let administrator: Visitor;
let visitor: Visitor;
let banner: PlainRecord;

beforeAll(async () => {
  system = await startTestSystem();
  await system.worker.stop();
  proxy = await startDatabaseProxy(system.database.url);
  database = createClient({ url: system.database.url, authToken: system.database.authToken });
  worker = await startBehindProxy();
  administrator = await signInAdministrator(system.url);
  visitor = new Visitor(system.url);
  banner = await firstRecord(administrator, '/banner');
});
afterAll(async () => {
  database.close();
  await proxy.close();
  await system.stop();
});

const startBehindProxy = () => system.startWorker({ vars: { TURSO_DATABASE_URL: proxy.url } });

const saveHeading = (bannerHeading: string): Promise<Answer> =>
  administrator.put(`/api/update-banner/${banner._id}`, { bannerHeading });

interface Stored {
  readonly revision: number;
  readonly heading: string;
}

/** Reads what is in the database, after checking that its parts agree. */
async function readConsistent(): Promise<Stored> {
  const [publications, records, history, saves, pages, pageSets] = await database.batch(
    [
      'SELECT count(*) AS count, max(revision) AS revision FROM publications',
      'SELECT bannerHeading, version FROM banners',
      `SELECT "after", version, revision FROM content_history WHERE section = 'banner' ORDER BY revision DESC`,
      'SELECT count(DISTINCT revision) AS count FROM content_history',
      `SELECT html, revision FROM pages WHERE path = '/' ORDER BY revision DESC`,
      'SELECT max(revision) AS revision FROM page_sets',
    ],
    'read',
  );
  const revision = Number(publications?.rows[0]?.['revision']);
  const heading = asText(records?.rows[0]?.['bannerHeading']);
  const last = history?.rows[0];
  expect(Number(publications?.rows[0]?.['count'])).toBe(revision);
  // The last save here is one of the banner, so a publication without history, or history without a publication, fails.
  expect(Number(last?.['revision'])).toBe(revision);
  expect(Number(saves?.rows[0]?.['count'])).toBe(revision);
  expect(JSON.parse(asText(last?.['after']))).toMatchObject({ bannerHeading: heading });
  expect(last?.['version']).toBe(records?.rows[0]?.['version']);
  expect(Number(pageSets?.rows[0]?.['revision'])).toBe(revision);
  expect(Number(pages?.rows[0]?.['revision'])).toBe(revision);
  expect(asText(pages?.rows[0]?.['html'])).toContain(heading);
  return { revision, heading };
}

/** The first save on a page gives the page its own revision. Only then can the parts be compared. */
async function readConsistentAfterASave(): Promise<Stored> {
  const answer = await saveHeading(`Before ${String(randomInt(1_000_000))}`);
  expect(answer.status, answer.text).toBe(200);
  return readConsistent();
}

/** The headings that saves of the banner have written since a revision, by revision. */
async function headingsSince(revision: number): Promise<ReadonlyMap<number, string>> {
  const { rows } = await database.execute({
    sql: `SELECT revision, json_extract("after", '$.bannerHeading') AS heading FROM content_history
      WHERE section = 'banner' AND revision > ?`,
    args: [revision],
  });
  return new Map(rows.map((row) => [Number(row['revision']), asText(row['heading'])]));
}

test('A Worker that is killed during saves leaves no save half done, and keeps every save that it confirmed', async () => {
  const rounds = fullSize ? 200 : 2;
  // A round in which every save was answered has interrupted nothing, so it does not count.
  for (let round = 0, broken = 0; broken < rounds; round += 1) {
    const before = await readConsistentAfterASave();
    const saves = Array.from({ length: 12 }, async (_, index) => {
      const heading = `Killed ${String(round)}, ${String(index)}`;
      return { heading, answer: await saveHeading(heading).catch(() => undefined) };
    });
    await Promise.race(saves);
    await new Promise((resolve) => setTimeout(resolve, randomInt(40)));
    await worker.kill();
    await proxy.settle();
    const told = (await Promise.all(saves)).flatMap(({ heading, answer }) =>
      answer?.status === 200 ? [[revisionOf(answer), heading] as const] : [],
    );
    if (told.length < saves.length) broken += 1;
    const after = await readConsistent();
    const kept = await headingsSince(before.revision);
    expect(told.map(([revision]) => [revision, kept.get(revision)])).toEqual(told);
    expect(after.heading).toMatch(new RegExp(`^Killed ${String(round)}, `));

    worker = await startBehindProxy();
    const asked = proxy.requests;
    const crowd = 50;
    const pages = await Promise.all(Array.from({ length: crowd }, () => visitor.get('/')));
    for (const page of pages)
      expect([page.status, isStandIn(page) || page.text.includes(after.heading)]).toEqual([200, true]);
    // The new isolate has nothing in memory. Concurrent visitors share one lookup.
    expect(proxy.requests - asked).toBeLessThanOrEqual(crowd / 5);
    await vi.waitFor(async () => expect((await visitor.get('/')).text).toContain(after.heading), {
      timeout: untilMs,
      interval: 50,
    });
  }
});
