/** From save to live: the time until an anonymous visitor gets what an administrator has just saved. */
import { newId } from '#contract/ids.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { readSnapshot } from '#worker/content/reader.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { writeBatch } from '#worker/db/client.ts';
import { callPath } from '../support/calls.ts';
import { type Answer, signInAdministrator, type Visitor } from '../support/visitor.ts';
import { openSystemDatabase } from './database.ts';
import { kB, median, ms, percentile, timeEach, times, type Figure, type Measure } from './figures.ts';
import { startDeployed, startRuntime, type Deployed } from './runtime.ts';

type Tell = (figure: Figure) => void;
type Values = Readonly<Record<string, string>>;

const savesEach = 50;
const question = 'accodingTitle';

async function readRecords(visitor: Visitor, section: SectionName): Promise<Values[]> {
  const { json, status } = await visitor.get(callPath(sectionNamed(section).api.list));
  if (!Array.isArray(json) || json.length === 0) throw new Error(`Reading ${section} returned ${status}.`);
  return json as Values[];
}

async function saveRecord(administrator: Visitor, section: SectionName, record: Values): Promise<Answer> {
  const { _id, ...values } = record;
  const { api } = sectionNamed(section);
  const save = () => administrator.put(callPath(api.update ?? api.read, _id), values);
  let answer = await save();
  // Many concurrent saves on a busy machine can fail with 503. The form also asks people to save again then.
  while (answer.status === 503) answer = await save();
  if (answer.status !== 200) throw new Error(`A save returned ${answer.status}: ${answer.text}`);
  return answer;
}

/** Requests a page until it meets a condition. */
async function awaitPage(url: string, isThere: (html: string, revision: number) => boolean): Promise<void> {
  for (;;) {
    const page = await fetch(url);
    const html = await page.text();
    if (isThere(html, Number(page.headers.get('X-Content-Revision')))) return;
  }
}

/** Saves a record `savesEach` times, each time with a new text, and waits for the text to appear on the page. */
export async function measureSaves(url: string, section: SectionName, page: string, field: string) {
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

/** Extends the list of questions on the pricing page to this length. */
async function growQuestions({ system }: Deployed, length: number): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
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
  await writeBatch(db, statements);
  close();
}

/** Reads the content like a save does: one batch, one round trip. */
async function measureRead({ system }: Deployed): Promise<number> {
  const { db, close } = openSystemDatabase(system.database);
  await timeEach(5, 1, () => readSnapshot(db));
  const reads = await timeEach(50, 1, () => readSnapshot(db));
  close();
  return median(reads);
}

/** Reports a save as a multiple of reading the content, which every save must do. */
function tellSaves(tell: Tell, of: string, samples: readonly number[], readMs: number, most?: number): void {
  const ratio = median(samples) / readMs;
  const value = `${times(ratio)} a read (${ms(median(samples))}, p95 ${ms(percentile(samples, 0.95))})`;
  tell(most === undefined ? { of, value } : { of, value, goal: `≤ ${times(most)}`, met: ratio <= most });
}

/** The bytes of the pages that changing one word rewrites. */
async function tellPagesOfAWord({ url }: Deployed, tell: Tell): Promise<void> {
  const administrator = await signInAdministrator(url);
  const [banner] = await readRecords(administrator, 'banner');
  const answer = await saveRecord(administrator, 'banner', { ...banner, bannerHeading: 'One word more' });
  const changed = (answer.headers.get('X-Changed-Pages') ?? '').split(/[\s,]+/).filter(Boolean);
  let sum = 0;
  for (const path of changed) sum += (await (await fetch(url + path)).arrayBuffer()).byteLength;
  tell({ of: 'pages written by one word of the banner', value: `${changed.join(' ')}, ${kB(sum)}` });
}

/** Saves different records at the same moment. Each waits until the page has its revision or a later one. */
async function measureAtOnce({ url }: Deployed, atOnce: number): Promise<number[]> {
  const administrator = await signInAdministrator(url);
  const records = await readRecords(administrator, 'faqItem');
  return timeEach(atOnce, atOnce, async (index) => {
    const changed = { ...records[index % records.length], [question]: `Saved as number ${index}` };
    const answer = await saveRecord(administrator, 'faqItem', changed);
    const saved = Number(answer.headers.get('X-Content-Revision'));
    await awaitPage(`${url}/pricing/`, (_html, revision) => revision >= saved);
  });
}

export const save: Measure = {
  name: 'save',
  how: `save request sent → first anonymous answer with the new text, ${savesEach} times, relative to one read of the content`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      const readMs = await measureRead(deployed);
      tell({ of: 'content read, demo content', value: ms(readMs) });
      const banner = await measureSaves(deployed.url, 'banner', '/', 'bannerHeading');
      tellSaves(tell, 'save to live, banner, demo content', banner, readMs, 5);
      await tellPagesOfAWord(deployed, tell);
      tellSaves(tell, 'save to live, 50 at once', await measureAtOnce(deployed, 50), readMs);

      await growQuestions(deployed, 1_000);
      // A running isolate does not see rows that were written directly into the database.
      const runtime = await startRuntime(deployed.bundle, deployed.system);
      const listMs = await measureRead(deployed);
      const saves = await measureSaves(runtime.url, 'faqItem', '/pricing/', question);
      tellSaves(tell, 'save to live, one of 1,000 questions', saves, listMs, 5);
      await runtime.stop();
    } finally {
      await deployed.stop();
    }
  },
};
