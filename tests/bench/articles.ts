/**
 * Measures a site with many articles: the save of one, compared with the save of a question, and the memory that an
 * isolate then uses.
 */
import * as z from 'zod';
import { newId } from '#contract/ids.ts';
import { contentTables } from '#worker/db/content-tables.ts';
import { writeBatch } from '#worker/db/client.ts';
import { freePort } from '#dev/system/worker-process.ts';
import { openSystemDatabase } from './database.ts';
import { kB, median, ms, percentile, time, times, type Measure } from './figures.ts';
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
          _id: newId(),
          position: 10_000 + number,
          version: 1,
          kind: 'guide',
          text,
          title: `Article number ${number}`,
          slug: `article-${number}`,
          tags: `Topic ${number % 20}`,
          summary: 'What this article is about, in one sentence.',
          publishedOn: '2026-01-05',
        });
      }),
    );
  close();
}

const usage = z.object({ id: z.number(), result: z.object({ usedSize: z.number().optional() }) });

/**
 * Returns the heap size of the site's isolate after a garbage collection, in bytes, from workerd's inspector. A
 * snapshot collects garbage first. workerd does not answer `HeapProfiler.collectGarbage`.
 */
async function heapBytes(inspectorPort: number): Promise<number> {
  const socket = new WebSocket(`ws://127.0.0.1:${inspectorPort}/core:user:storefront`);
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  socket.onerror = () => reject(new Error('The inspector does not answer.'));
  socket.onopen = () => {
    for (const [id, method] of ['HeapProfiler.takeHeapSnapshot', 'Runtime.getHeapUsage'].entries())
      socket.send(JSON.stringify({ id, method }));
  };
  socket.onmessage = ({ data }) => {
    const answer = usage.safeParse(JSON.parse(String(data)));
    if (answer.data?.result.usedSize !== undefined) resolve(answer.data.result.usedSize);
  };
  return promise.finally(() => socket.close());
}

const spread = (samples: readonly number[]) => `${ms(median(samples))}, p95 ${ms(percentile(samples, 0.95))}`;

export const articles: Measure = {
  name: 'articles',
  how: `save request sent → first anonymous answer with the new text, with ${count} articles of 1,500 words`,
  take: async (tell) => {
    const deployed = await startDeployed();
    try {
      await growArticles(deployed);
      // A running isolate does not see rows that were written directly into the database.
      const inspectorPort = await freePort();
      const runtime = await startRuntime(deployed.bundle, deployed.system, inspectorPort);
      const first = await time(() => fetch(`${runtime.url}/articles/`));
      tell({ of: 'first request of the list by a new isolate', value: ms(first) });
      const question = await measureSaves(runtime.url, 'faqItem', '/pricing/', 'accodingTitle');
      const article = await measureSaves(runtime.url, 'article', '/articles/', 'title');
      tell({ of: 'save to live, a question', value: spread(question) });
      tell({
        of: 'save to live, one of 2,000 articles, relative to that',
        value: `${times(median(article) / median(question))} (${spread(article)})`,
      });
      tell({ of: 'heap of the isolate then', value: kB(await heapBytes(inspectorPort)) });
      await runtime.stop();
    } finally {
      await deployed.stop();
    }
  },
};
