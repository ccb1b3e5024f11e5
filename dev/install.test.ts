/** The first start of a fresh clone: what a person reads while the packages are installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, onTestFinished, test } from 'vitest';

/** Starts a program in a clone without packages. The clone's `npm` is a script of the test. */
async function startClone(npm: string, nodeOptions: readonly string[] = []) {
  const dir = await mkdtemp(join(tmpdir(), 'storefront-clone-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'dev'));
  await mkdir(join(dir, 'bin'));
  for (const file of ['run.mjs', 'install.mjs'])
    await copyFile(join(import.meta.dirname, file), join(dir, 'dev', file));
  await writeFile(join(dir, 'package-lock.json'), '{}');
  await writeFile(join(dir, 'program.mjs'), "console.log('The program runs.')");
  await writeFile(join(dir, 'bin/npm'), `#!/bin/sh\n${npm}\n`);
  await chmod(join(dir, 'bin/npm'), 0o755);
  const child = spawn(process.execPath, [...nodeOptions, 'dev/run.mjs', 'program.mjs'], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}` },
  });
  onTestFinished(() => void child.kill());
  const ended = once(child, 'close');
  const [said, complaints] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await ended) as unknown[];
  return { code, said, complaints };
}

test('A person who starts a fresh clone reads that packages are installed, what npm says, and then the program', async () => {
  const { code, said } = await startClone(`
    mkdir -p node_modules/.bin && ln -s ${process.execPath} node_modules/.bin/node
    echo "npm $1 has added them"`);
  expect(code).toBe(0);
  expect(said.trimEnd().split('\n')).toEqual([
    'Installing the packages into node_modules, once; this takes a minute or two…',
    'npm ci has added them',
    'The program runs.',
  ]);
});

test('A person whose packages cannot be installed reads why, and the program does not start', async () => {
  const { code, said, complaints } = await startClone('echo no network >&2; exit 1');
  expect(code).toBe(1);
  expect(complaints).toMatch(/no network\nThe packages could not be installed/);
  expect(said).not.toContain('The program runs.');
});

test('On Windows, a person is sent to WSL before anything is installed', async () => {
  const asWindows = "data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })";
  const { code, said, complaints } = await startClone('exit 1', ['--import', asWindows]);
  expect(code).toBe(1);
  expect(complaints).toContain('On Windows, use WSL');
  expect(said).not.toContain('Installing');
});
