/**
 * docs/operations.md explains everything that the site reports to its operator: each log event, each alert, each
 * secret.
 */
import { access, glob, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { attentionItem } from '#contract/attention.calls.ts';
import { projectDir } from '#deploy/settings.ts';
import { settingNamed, settingNames } from '#worker/settings.ts';

const guide = await readFile(join(projectDir, 'docs/operations.md'), 'utf8');

/** The text of the guide from a heading to the next heading of its level. */
function sectionOf(title: string): string {
  const [, text] = guide.split(`\n## ${title}\n`);
  if (text === undefined) throw new Error(`docs/operations.md has no section '${title}'.`);
  return text.split('\n## ')[0] ?? '';
}

/** The code in the first column of a section's tables. */
const rowsOf = (title: string): string[] =>
  Array.from(sectionOf(title).matchAll(/^\| (`[^|]+) \|/gm), ([, cell = '']) =>
    Array.from(cell.matchAll(/`([^`]+)`/g), ([, name = '']) => name),
  ).flat();

async function readSources(): Promise<string> {
  const texts: string[] = [];
  for await (const file of glob('worker/**/*.ts', { cwd: projectDir }))
    if (!file.endsWith('.test.ts')) texts.push(await readFile(join(projectDir, file), 'utf8'));
  return texts.join('\n');
}
const sources = await readSources();

/** Every distinct match of a pattern's group in the Worker's sources. */
const inSources = (pattern: RegExp): string[] => [
  ...new Set(Array.from(sources.matchAll(pattern), ([, name = '']) => name)),
];

test('The guide explains every log event, and mentions no other', () => {
  // Any other first argument would hide an event from this test. `console.log` writes the lines themselves.
  expect(inSources(/(?<!console\.)\blog\(\s*([^'\s)])/g)).toEqual([]);
  const events = inSources(/\blog\(\s*'([^']+)'/g);
  expect(events.length).toBeGreaterThan(40);
  for (const event of events) expect(event).toMatch(/^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/);
  expect(rowsOf('The log').toSorted()).toEqual(events.toSorted());
});

test('The guide explains everything that may need attention, and mentions nothing else', () => {
  const kinds = [...attentionItem.shape.kind.options, ...inSources(/key: '(job:[\w-]+)'/g)];
  expect(rowsOf('Needs attention').toSorted()).toEqual(kinds.toSorted());
});

test('The guide says how to change each secret', () => {
  const secrets = settingNames.filter((name) => settingNamed(name).kind === 'secret');
  const rotated = Array.from(
    sectionOf('Rotating keys').matchAll(/^- \*\*`(\w+)`\*\*/gm),
    ([, name = '']) => name,
  );
  expect(rotated.toSorted()).toEqual(secrets.toSorted());
});

test('Every link in a guide points to an existing file and heading', async () => {
  const anchorsOf = async (file: string): Promise<string[]> =>
    Array.from((await readFile(file, 'utf8')).matchAll(/^#+ (.+)$/gm), ([, title = '']) =>
      title
        .toLowerCase()
        .replace(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    );
  for await (const name of glob('{*.md,docs/**/*.md}', { cwd: projectDir })) {
    const guide = join(projectDir, name);
    // In example code, `[part](x)` is not a link.
    const text = (await readFile(guide, 'utf8')).replaceAll(/^ *```[^]*?^ *```/gm, '');
    for (const [, place = ''] of text.matchAll(/\]\((?!https?:)([^)\s]+)\)/g)) {
      const [path = '', anchor = ''] = place.split('#');
      const file = path === '' ? guide : join(dirname(guide), path);
      await expect(access(file), `${name} → ${place}`).resolves.toBeUndefined();
      if (anchor !== '') expect(await anchorsOf(file), `${name} → ${place}`).toContain(anchor);
    }
  }
});
