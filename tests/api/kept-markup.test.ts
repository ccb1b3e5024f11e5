/** The renderer keeps the markup of what did not change; the pages are those of a whole rendering all the same. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { sharedSystem } from '../support/shared-system.ts';
import { isShown, sectionNamed, sectionNames, type PublicContent } from '#contract/sections/index.ts';
import {
  addRecord,
  applyChanges,
  removeRecord,
  reorderRecords,
  updateRecord,
  type Edit,
} from '#worker/content/edits.ts';
import { publicContentOf, readSnapshot, type StoredContent } from '#worker/content/reader.ts';
import { openSystemDatabase } from '../bench/database.ts';
import { fullSize } from '../support/limits.ts';
import { pick, randomFrom, shuffled, type Random } from '../support/random.ts';
import { isFreeText, sampleOf } from '../support/samples.ts';
import { sharedBuild } from '../support/system.ts';

interface Renderer {
  readonly renderPage: (path: string, content: PublicContent) => Promise<string>;
}

const edits = fullSize ? 1_000 : 25;
const paths = ['/', '/pricing/', '/service/', '/contact', '/thanks', '/shell/message', '/shell/logo'];

let renderPage: Renderer['renderPage'];
let stored: StoredContent;

beforeAll(async () => {
  const file = pathToFileURL(join(sharedBuild, '.renderer/index.mjs')).href;
  ({ renderPage } = (await import(file)) as Renderer);
  const { db, close } = openSystemDatabase({
    url: sharedSystem.database.url,
    authToken: sharedSystem.database.authToken,
  });
  ({ content: stored } = await readSnapshot(db));
  close();
});

const renderAll = (content: PublicContent): Promise<string[]> =>
  Promise.all(paths.map((path) => renderPage(path, content)));

/** An edit of anything that pages show. */
function randomEdit(content: StoredContent, random: Random): Edit {
  const name = pick(
    random,
    sectionNames.filter((one) => isShown(one) && content[one].length > 0),
  );
  const { kind, fields } = sectionNamed(name);
  const record = pick(random, content[name]);
  const choice = random();
  if (kind === 'list' && choice < 0.15) return addRecord(name, sampleOf(sectionNamed(name)));
  if (kind === 'list' && choice < 0.25 && content[name].length > 1) return removeRecord(name, record._id);
  if (kind === 'list' && choice < 0.4)
    return reorderRecords(
      name,
      shuffled(
        random,
        content[name].map(({ _id }) => _id),
      ),
    );
  const texts = Object.entries(fields).filter(([, field]) => isFreeText(field) && !field.unique);
  if (texts.length === 0) return updateRecord(name, record._id, {});
  return updateRecord(name, record._id, { [pick(random, texts)[0]]: `Text <${random()}> & more` });
}

test('After any edits a page has the bytes of one that is rendered whole', async () => {
  const random = randomFrom(20_261_121);
  const states: { readonly content: PublicContent; readonly pages: readonly string[] }[] = [];
  for (let count = 0; count < edits; count += 1) {
    stored = applyChanges(stored, randomEdit(stored, random)(stored));
    const content = publicContentOf(stored);
    states.push({ content, pages: await renderAll(content) });
  }
  expect(new Set(states.map(({ pages }) => pages.join())).size).toBeGreaterThan(edits / 2);
  // Of a copy no record is the one that was rendered before.
  for (const { content, pages } of states) expect(await renderAll(structuredClone(content))).toEqual(pages);
});

test('A section whose records did not change is not rendered again', async () => {
  const read: string[] = [];
  const content = publicContentOf(stored);
  const watched = content.about.map(
    (record) =>
      new Proxy(record, {
        get: (target, field) => {
          read.push(String(field));
          return Reflect.get(target, field) as unknown;
        },
      }),
  );
  const page = await renderPage('/', { ...content, about: watched });
  expect(read).not.toEqual([]);
  read.length = 0;
  const banner = content.banner.map((record) => ({ ...record, bannerHeading: 'Another heading' }));
  const changed = await renderPage('/', { ...content, about: watched, banner });
  expect(changed).toContain('Another heading');
  expect(changed).not.toBe(page);
  expect(read).toEqual([]);
});
