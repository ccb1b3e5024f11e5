/** Releases: publishing many changes at once, and a page of the preview. */
import { addChange, beginRelease, publishRelease } from '../support/releases.ts';
import { signInAdministrator, type Visitor } from '../support/visitor.ts';
import { spread, time, timeEach, type Measure } from './figures.ts';
import { startDeployed } from './runtime.ts';

const changesEach = 50;
const publications = 10;
const previews = 50;

/** A release that changes an answer of each question. */
async function prepare(administrator: Visitor, ids: readonly string[], text: string): Promise<string> {
  const { _id } = await beginRelease(administrator, text);
  for (const recordId of ids)
    await addChange(administrator, _id, {
      section: 'faqItem',
      action: 'update',
      recordId,
      values: { accodingText: text },
    });
  return _id;
}

async function addQuestions(administrator: Visitor): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let count = 0; count < changesEach; count += 1) {
    const question = { accodingTitle: `What does question ${count} ask?`, accodingText: 'An answer.' };
    const { json } = await administrator.post('/api/add-faq-item', question);
    ids.push((json as { readonly _id: string })._id);
  }
  return ids;
}

export const releases: Measure = {
  name: 'releases',
  how: `a release of ${changesEach} changes published ${publications} times, and a page of its preview ${previews} times`,
  async take(tell) {
    const { url, stop } = await startDeployed();
    try {
      const administrator = await signInAdministrator(url);
      const ids = await addQuestions(administrator);
      const samples: number[] = [];
      for (let run = 0; run < publications; run += 1) {
        const id = await prepare(administrator, ids, `The answer of run ${run}.`);
        samples.push(await time(() => publishRelease(administrator, id)));
      }
      tell({ of: `publishing a release of ${changesEach} changes`, value: spread(samples, 0.5, 0.95) });
      const id = await prepare(administrator, ids, 'The answer of the preview.');
      const { json } = await administrator.post(`/api/release/${id}/preview-link`);
      const { pathname } = new URL((json as { readonly url: string }).url);
      const look = () => fetch(`${url}${pathname}pricing/`).then((page) => page.text());
      tell({ of: 'a page of the preview', value: spread(await timeEach(previews, 1, look), 0.5, 0.95) });
    } finally {
      await stop();
    }
  },
};
