/** The guides name the test that shows each promise: it is there, in the file that the guide says. */
import { glob, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { projectDir } from '#deploy/worker-config.ts';

/** What stands below a heading of a guide. */
async function readSection(guide: string, heading: string): Promise<string> {
  const text = await readFile(join(projectDir, 'docs', guide), 'utf8');
  const [, below = ''] = text.split(`\n## ${heading}\n`);
  return below.split('\n## ')[0] ?? '';
}

/** What stands under each smaller heading there, after the heading itself. */
const readParts = async (guide: string, heading: string): Promise<[title: string, text: string][]> =>
  (await readSection(guide, heading))
    .split('\n### ')
    .slice(1)
    .map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end), part.slice(end).trim()];
    });

/** Each threat, the promise, the lines that name its tests, and the paragraph of their sizes. */
const promises = (await readParts('security.md', 'What must hold')).map(([threat, text]) => ({
  threat,
  promise: text.startsWith('-') ? '' : (text.split('\n')[0] ?? ''),
  shown: (text.match(/^- .+$/gm) ?? []).join('\n'),
  sizes: /^Full size: [^]*?(?=\n\n|$(?![^]))/m.exec(text)?.[0] ?? '',
}));

/** Each trouble, what people see, what becomes of what they did, and the line that names its tests. */
const troubles = (await readParts('operations.md', 'When a service is in trouble')).map(([trouble, text]) => {
  const lineOf = (label: string) => new RegExp(`^- \\*\\*${label}:\\*\\* (.+)$`, 'm').exec(text)?.[1] ?? '';
  return { trouble, seen: lineOf('People see'), becomes: lineOf('What they did'), shown: lineOf('Test') };
});

/** Every test file of the product by its name; files of one name together. */
async function readTests(): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for await (const file of glob('{tests,worker,site,dev}/**/*.{test,spec}.{ts,tsx}', { cwd: projectDir })) {
    const name = basename(file);
    texts.set(name, `${texts.get(name) ?? ''}${await readFile(join(projectDir, file), 'utf8')}`);
  }
  return texts;
}

interface Named {
  readonly file: string;
  readonly title: string;
}

/** The tests that a text names: files in backticks, each followed by titles in quotes. */
function testsIn(text: string): Named[] {
  let file = '';
  const named: Named[] = [];
  for (const [, name, single, double] of text.matchAll(
    /`([\w.-]+\.(?:test|spec)\.tsx?)`|'([^']+)'|"([^"]+)"/g,
  )) {
    if (name !== undefined) file = name;
    else named.push({ file, title: single ?? double ?? '' });
  }
  return named;
}

test('Every promise has a threat before it and a test behind it', () => {
  expect(promises.length).toBeGreaterThan(30);
  for (const { threat, promise, shown } of promises) {
    expect(promise, threat).not.toBe('');
    expect(testsIn(shown), threat).not.toEqual([]);
  }
});

test('Every trouble of a service has what people see, what becomes of it, and a test', () => {
  expect(troubles.length).toBeGreaterThan(10);
  for (const { trouble, seen, becomes, shown } of troubles) {
    expect([seen, becomes], trouble).not.toContain('');
    expect(testsIn(shown), trouble).not.toEqual([]);
  }
});

test('The sizes that the guide of security gives are those of the tests', async () => {
  const tests = await readTests();
  const wrong: string[] = [];
  for (const [file, source] of tests) {
    const sizes = promises.flatMap((promise) =>
      promise.shown.includes(`\`${file}\``) ? [promise.sizes] : [],
    );
    if (sizes.length === 0) continue;
    for (const [, ...pair] of source.matchAll(/fullSize \? ([\d_]+) : ([\d_]+)/g))
      for (const size of pair.map((digits) => Number(digits.replaceAll('_', '')).toLocaleString('en-US')))
        if (!new RegExp(`(?<![\\d,])${size}(?!,?\\d)`).test(sizes.join('\n'))) wrong.push(`${file}: ${size}`);
  }
  expect(wrong).toEqual([]);
});

test('Every test that a guide names exists where it says', async () => {
  const tests = await readTests();
  const missing = [...promises, ...troubles]
    .flatMap(({ shown }) => testsIn(shown))
    .filter(({ file, title }) => !tests.get(file)?.includes(title))
    .map(({ file, title }) => `${file}: ${title}`);
  expect(missing).toEqual([]);
});
