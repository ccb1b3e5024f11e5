/** From a save to the page: how long until an anonymous visitor is served what an administrator has just saved. */
import { callPath } from '../support/calls.ts';
import { newId } from '#contract/ids.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { readSnapshot } from '#worker/content/reader.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { writeBatch } from '#worker/db/client.ts';
import { type Answer, signInAdministrator, type Visitor } from '../support/visitor.ts';
import { openSystemDatabase } from './database.ts';
import { below, kB, median, ms, spread, timeEach, type Figure, type Measure } from './figures.ts';
import { networkMs, openNetwork } from './network.ts';
import { startDeployed, startRuntime, type Deployed } from './runtime.ts';

type Tell = (figure: Figure) => void;
type Values = Readonly<Record<string, string>>;

const savesEach = 50;
const question = 'accodingTitle';

const isRecords = (json: unknown): json is Values[] => Array.isArray(json);

async function readRecords(visitor: Visitor, section: SectionName): Promise<Values[]> {
  const { json, status } = await visitor.get(callPath(sectionNamed(section).api.list));
  if (!isRecords(json) || json.length === 0) throw new Error(`Reading ${section} answered ${status}.`);
  return json;
}

async function saveRecord(administrator: Visitor, section: SectionName, record: Values): Promise<Answer> {
  const { _id, ...values } = record;
  const answer = await administrator.put(callPath(sectionNamed(section).api.update ?? '', _id), values);
  if (answer.status !== 200) throw new Error(`A save answered ${answer.status}: ${answer.text}`);
  return answer;
}

/** Asks for a page as a visitor does until it satisfies. */
async function awaitPage(url: string, isThere: (html: string, revision: number) => boolean): Promise<void> {
  for (;;) {
    const page = await fetch(url);
    const html = await page.text();
    if (isThere(html, Number(page.headers.get('X-Content-Revision')))) return;
  }
}

/** Lengthens the list of questions on the pricing page to so many. */
async function growQuestions({ system }: Deployed, length: number): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
  try {
    const { content } = await readSnapshot(db);
    const missing = Math.max(0, length - content.faqItem.length);
    const statements = Array.from({ length: missing }, (_, index) =>
      db.insert(contentTables.faqItem).values({
        _id: newId(),
        position: 10_000 + index,
        [question]: `What does question ${index} of a long list ask?`,
        accodingText: 'An answer of the usual length: two sentences. This is the second of them.',
      }),
    );
    if (statements.length > 0) await writeBatch(db, statements);
  } finally {
    close();
  }
}

/** Saves a record `savesEach` times, each time with a text of its own, and waits for it on the page. */
async function measureSaves(url: string, section: SectionName, page: string, field: string) {
  const administrator = await signInAdministrator(url);
  const [record] = await readRecords(administrator, section);
  let count = 0;
  const saveAndSee = async () => {
    const text = `Save number ${(count += 1)}.`;
    await saveRecord(administrator, section, { ...record, [field]: text });
    await awaitPage(`${url}${page}`, (html) => html.includes(text));
  };
  await timeEach(5, 1, saveAndSee);
  return timeEach(savesEach, 1, saveAndSee);
}

const tellSaves = (tell: Tell, of: string, samples: readonly number[], limit?: number) => {
  const told = spread(samples, 0.5, 0.95);
  tell(limit === undefined ? { of, value: told } : below(of, median(samples), limit, ms, told));
};

async function measureDemo({ url, system }: Deployed, tell: Tell): Promise<void> {
  tellSaves(
    tell,
    'save to live, banner, demo content',
    await measureSaves(url, 'banner', '/', 'bannerHeading'),
    15,
  );
  const administrator = await signInAdministrator(url);
  const [banner] = await readRecords(administrator, 'banner');
  const answer = await saveRecord(administrator, 'banner', { ...banner, bannerHeading: 'One word more' });
  const changed = (answer.headers.get('X-Changed-Pages') ?? '').split(/[\s,]+/).filter(Boolean);
  const sizes = await Promise.all(
    changed.map(async (path) => (await (await fetch(url + path)).arrayBuffer()).byteLength),
  );
  tell({
    of: 'pages written by a one-word change of the banner',
    value: `${changed.join(' ')}, ${kB(sizes.reduce((sum, size) => sum + size, 0))}`,
  });
  const { db, close } = openSystemDatabase(system.database);
  await timeEach(5, 1, () => readSnapshot(db));
  tell({
    of: 'content read, demo content',
    value: spread(await timeEach(50, 1, () => readSnapshot(db)), 0.5, 0.95),
  });
  close();
}

/** A long list, seen by a new isolate, since what goes straight into the database is news to no running one. */
async function measureLongList(deployed: Deployed, length: number, tell: Tell): Promise<void> {
  await growQuestions(deployed, length);
  const runtime = await startRuntime(deployed.bundle, deployed.system);
  const { db, close } = openSystemDatabase(deployed.system.database);
  try {
    const samples = await measureSaves(runtime.url, 'faqItem', '/pricing/', question);
    tellSaves(tell, `save to live, one of ${length} questions`, samples, length <= 200 ? 40 : undefined);
    const reads = await timeEach(50, 1, () => readSnapshot(db));
    tell({ of: `content read, ${length} questions`, value: spread(reads, 0.5, 0.95) });
  } finally {
    close();
    await runtime.stop();
  }
}

/** Saves of different records at the same moment: each until the page is of its revision or a later one. */
async function measureAtOnce({ url }: Deployed, atOnce: number, tell: Tell): Promise<void> {
  const administrator = await signInAdministrator(url);
  const records = await readRecords(administrator, 'faqItem');
  const samples: number[] = [];
  for (let round = 0; samples.length < savesEach; round += 1) {
    const saveAndSee = async (index: number) => {
      const record = records[index % records.length] ?? {};
      const changed = { ...record, [question]: `Saved in round ${round} as number ${index}` };
      const answer = await saveRecord(administrator, 'faqItem', changed);
      const saved = Number(answer.headers.get('X-Content-Revision'));
      await awaitPage(`${url}/pricing/`, (_html, revision) => revision >= saved);
    };
    samples.push(...(await timeEach(atOnce, atOnce, saveAndSee)));
  }
  tellSaves(tell, `save to live, ${atOnce} at once`, samples);
}

export const save: Measure = {
  name: 'save',
  how: `request of a signed-in administrator sent → first anonymous answer with the new text, ${savesEach} times`,
  take: async (tell) => {
    const network = openNetwork();
    const deployed = await startDeployed({ beforePipeline: network.beforePipeline });
    try {
      await measureDemo(deployed, tell);
      await network.during(async () =>
        tellSaves(
          tell,
          `save to live, banner, ${networkMs} ms of network each round trip`,
          await measureSaves(deployed.url, 'banner', '/', 'bannerHeading'),
        ),
      );
      for (const atOnce of [1, 10, 50]) await measureAtOnce(deployed, atOnce, tell);
      for (const length of [10, 100, 200, 1_000]) await measureLongList(deployed, length, tell);
    } finally {
      await deployed.stop();
    }
  },
};
