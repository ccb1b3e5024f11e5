/** The worked example of CONTRIBUTING.md, built from its own code: a new section is three small files, and it works. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { expect } from 'playwright/test';
import { freePort } from '#dev/system/worker-process.ts';
import { test } from '../support/browser.ts';
import { administrator } from '../support/system.ts';

const run = promisify(execFile);
const projectDir = join(import.meta.dirname, '../..');

/** What is made from the sources, or belongs to this machine. */
const notSources = new Set([
  '.astro',
  '.data',
  '.git',
  '.renderer',
  '.wrangler',
  'dist',
  'node_modules',
  'test-results',
]);

/** One step of the example: its file, the entry above which it goes, and its lines. */
interface Step {
  readonly file: string;
  readonly above: string | undefined;
  readonly lines: readonly string[];
}

/** The numbered steps of 'Add a section' that have code. */
function readSteps(guide: string): readonly Step[] {
  const [, part = ''] = /^## Add a section\n(.*?)^## /ms.exec(guide) ?? [];
  const steps = part.matchAll(/^\d\. (.*?)^ {3}```tsx?\n(.*?)^ {3}```$/gms);
  return Array.from(steps, ([, text = '', code = '']) => {
    const [, file = '', above] = /in `([^`]+)`(?:, above `([^`]+)`)?/.exec(text) ?? [];
    const lines = code.trimEnd().split('\n');
    return { file, above, lines: lines.map((line) => line.replace(/^ {3}/, '')) };
  });
}

async function apply(dir: string, { file, above, lines }: Step): Promise<void> {
  const path = join(dir, file);
  const code = `${lines.join('\n')}\n`;
  if (above === undefined) return writeFile(path, code, { flag: 'wx' });
  const parts = (await readFile(path, 'utf8')).split(`\n  ${above}: {\n`);
  expect(parts, `${file} has one ${above}`).toHaveLength(2);
  const inserted = lines.map((line) => `  ${line}\n`).join('');
  return writeFile(path, `${parts[0] ?? ''}\n${inserted}  ${above}: {\n${parts[1] ?? ''}`);
}

/** Every source file with its content. */
async function readSources(dir: string): Promise<ReadonlyMap<string, string>> {
  const sources = new Map<string, string>();
  for (const entry of await readdir(dir, { withFileTypes: true })) {
    if (notSources.has(entry.name)) continue;
    const path = join(dir, entry.name);
    if (entry.isDirectory())
      for (const [name, text] of await readSources(path)) sources.set(`${entry.name}/${name}`, text);
    else sources.set(entry.name, await readFile(path, 'latin1'));
  }
  return sources;
}

/** Starts the copy as `npm start` does. @returns how to stop it */
async function start(dir: string, port: number): Promise<() => Promise<void>> {
  const child = spawn(process.execPath, ['dev/start.ts'], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      PORT: String(port),
      DATA_DIR: join(dir, '.data'),
      ADMIN_EMAIL: administrator.email,
      ADMIN_PASSWORD: administrator.password,
    },
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  for await (const line of createInterface(child.stdout)) if (line.startsWith('Ready')) return stop;
  throw new Error('The copy did not start.');
}

test('Anyone who follows CONTRIBUTING.md adds a section with three files of 40 lines in all', async ({
  browser,
}) => {
  const dir = await mkdtemp(join(tmpdir(), 'worked-example-'));
  let stop: (() => Promise<void>) | undefined;
  try {
    await cp(projectDir, dir, {
      recursive: true,
      filter: (source) => source === projectDir || !notSources.has(basename(source)),
    });
    await symlink(join(projectDir, 'node_modules'), join(dir, 'node_modules'));
    const before = await readSources(dir);
    const steps = readSteps(before.get('CONTRIBUTING.md') ?? '');
    for (const step of steps) await apply(dir, step);
    await run(process.execPath, ['node_modules/drizzle-kit/bin.cjs', 'generate'], { cwd: dir });

    const after = await readSources(dir);
    const touched = [...after.keys()].filter((file) => after.get(file) !== before.get(file));
    const written = touched.filter((file) => !file.startsWith('migrations/meta/'));
    expect(written.toSorted()).toEqual([
      expect.stringMatching(/^migrations\/\d+_\w+\.sql$/),
      'site/sections/service-page/milestones.tsx',
      'worker/contract/sections/service-page.ts',
    ]);
    const sql = (after.get(written.find((file) => file.endsWith('.sql')) ?? '') ?? '').trimEnd().split('\n');
    expect(steps.flatMap(({ lines }) => lines).length + sql.length).toBeLessThanOrEqual(40);

    const port = await freePort();
    stop = await start(dir, port);
    const baseURL = `http://localhost:${String(port)}`;
    const context = await browser.newContext({ baseURL });
    const signedIn = await context.request.post('/api/auth/login', {
      data: administrator,
      headers: { Origin: baseURL },
    });
    expect(signedIn.status()).toBe(200);
    const page = await context.newPage();
    await page.goto('/setting');
    await page.getByRole('main').getByRole('link', { name: 'Milestones' }).click();
    await page.getByLabel('Year').fill('2021');
    await page.getByLabel('Title').fill('A hundred agencies');
    await page.getByLabel('Details').fill('The hundredth agency joined us.');
    const preview = page.locator('iframe[title^="Preview"]').contentFrame();
    await expect(preview.getByRole('heading', { name: 'A hundred agencies' })).toBeVisible();
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'Milestone is Added' })).toBeVisible();
    await page.getByRole('link', { name: 'Edit milestone' }).click();
    await expect(page.getByText('added by owner@agency.example')).toBeVisible();
    const listed = await context.request.get('/api/milestones');
    expect(await listed.json()).toMatchObject([
      { milestoneYear: '2021', milestoneTitle: 'A hundred agencies' },
    ]);

    const visitor = await browser.newPage({ baseURL });
    await visitor.goto('/service/');
    const bands = visitor.locator('main > section');
    await expect(bands.nth(-2)).toContainText('A hundred agencies');
  } finally {
    await stop?.();
    await rm(dir, { recursive: true, force: true });
  }
});
