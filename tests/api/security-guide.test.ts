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

/** The rows of the table below a heading of a guide. */
async function readRows(guide: string, heading: string): Promise<string[][]> {
  return (await readSection(guide, heading))
    .split('\n')
    .filter((line) => line.startsWith('| '))
    .slice(2)
    .map((line) => line.split(' | ').map((cell) => cell.replace(/^\||\|$/g, '').trim()));
}
const rows = await readRows('security.md', 'What must hold');

/** Each trouble: its name, what people see, what becomes of what they did, and the test. */
const troubles = (await readSection('operations.md', 'When a service is in trouble'))
  .split('\n### ')
  .slice(1)
  .map((text) => [
    text.split('\n')[0] ?? '',
    ...['People see', 'What they did', 'Test'].map(
      (label) => new RegExp(`^- \\*\\*${label}:\\*\\* (.+)$`, 'm').exec(text)?.[1] ?? '',
    ),
  ]);

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

/** The tests that a cell names: files in backticks, each followed by titles in quotes. */
function testsIn(cell: string): Named[] {
  let file = '';
  const named: Named[] = [];
  for (const [, name, single, double] of cell.matchAll(
    /`([\w.-]+\.(?:test|spec)\.tsx?)`|'([^']+)'|"([^"]+)"/g,
  )) {
    if (name !== undefined) file = name;
    else named.push({ file, title: single ?? double ?? '' });
  }
  return named;
}

test('Every promise has a threat before it and a test behind it', () => {
  expect(rows.length).toBeGreaterThan(30);
  for (const [threat = '', promise = '', shown = ''] of rows) {
    expect(threat).not.toBe('');
    expect(promise, threat).not.toBe('');
    expect(testsIn(shown), threat).not.toEqual([]);
  }
});

test('Every trouble of a service has what people see, what becomes of it, and a test', () => {
  expect(troubles.length).toBeGreaterThan(10);
  for (const [trouble = '', seen = '', becomes = '', shown = ''] of troubles) {
    expect([trouble, seen, becomes]).not.toContain('');
    expect(testsIn(shown), trouble).not.toEqual([]);
  }
});

test('Every test that a guide names exists where it says', async () => {
  const tests = await readTests();
  const missing = [...rows.map(([, , shown = '']) => shown), ...troubles.map(([, , , shown = '']) => shown)]
    .flatMap(testsIn)
    .filter(({ file, title }) => !tests.get(file)?.includes(title))
    .map(({ file, title }) => `${file}: ${title}`);
  expect(missing).toEqual([]);
});
