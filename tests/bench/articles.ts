/** Many articles: what a save of one costs beside a save of a question, and what an isolate then holds. */
import { readFile } from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { newId } from '#contract/ids.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { writeBatch } from '#worker/db/client.ts';
import { openSystemDatabase } from './database.ts';
import { median, ms, percentile, time, times, type Measure } from './figures.ts';
import { startDeployed, startRuntime, type Deployed } from './runtime.ts';
import { measureSaves } from './save.ts';

const count = 2_000;

/** About 1,500 words. */
const text =
  `## A heading\n\n${'Words of an article of the usual length, in sentences. '.repeat(25)}\n\n`.repeat(6);

async function growArticles({ system }: Deployed): Promise<void> {
  const { db, close } = openSystemDatabase(system.database);
  for (let from = 0; from < count; from += 50)
    await writeBatch(
      db,
      Array.from({ length: 50 }, (_, offset) => {
        const number = from + offset;
        return db.insert(contentTables.article).values({
          ...{ _id: newId(), position: 10_000 + number, version: 1, kind: 'guide', text },
          ...{ title: `Article number ${number}`, slug: `article-${number}`, tags: `Topic ${number % 20}` },
          ...{ summary: 'What this article is about, in one sentence.', publishedOn: '2026-01-05' },
        });
      }),
    );
  close();
}

/** The memory of all workerd processes that this one has started, in MB. Linux alone tells. */
async function memoryMb(): Promise<number> {
  const pids = execFileSync('pgrep', ['-P', String(process.pid), 'workerd'], { encoding: 'utf8' }).split(
    '\n',
  );
  let kB = 0;
  for (const pid of pids.filter(Boolean)) {
    const status = await readFile(`/proc/${pid}/status`, 'utf8');
    kB += Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0);
  }
  return Math.round(kB / 1_000);
}

const spread = (samples: readonly number[]) => `${ms(median(samples))}, p95 ${ms(percentile(samples, 0.95))}`;

export const articles: Measure = {
  name: 'articles',
  how: `save request sent → first anonymous answer with the new text, with ${count} articles of 1,500 words`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      await measureSaves(deployed.url, 'faqItem', '/pricing/', 'accodingTitle');
      const before = await memoryMb();
      await growArticles(deployed);
      // A running isolate does not see rows that were written directly into the database.
      const runtime = await startRuntime(deployed.bundle, deployed.system);
      const first = await time(() => fetch(`${runtime.url}/articles/`));
      tell({ of: 'first request of the list by a new isolate', value: ms(first) });
      const question = await measureSaves(runtime.url, 'faqItem', '/pricing/', 'accodingTitle');
      const article = await measureSaves(runtime.url, 'article', '/articles/', 'title');
      tell({ of: 'save to live, a question', value: spread(question) });
      const ratio = median(article) / median(question);
      tell({
        ...{
          of: 'save to live, one of 2,000 articles, beside that',
          value: `${times(ratio)} (${spread(article)})`,
        },
        ...{ goal: '≤ 2.00 ×', met: ratio <= 2 },
      });
      tell({ of: 'memory of workerd, one isolate, then two', value: `${before} MB, ${await memoryMb()} MB` });
      await runtime.stop();
    } finally {
      await deployed.stop();
    }
  },
};
