/** The first start of a fresh clone: what a person reads while the packages are installed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';

/** A clone without packages. Its `npm` is a script of the test, and its program prints a line. */
async function cloneWith(npm: string, nodeOptions: readonly string[] = []) {
  const dir = await mkdtemp(join(tmpdir(), 'storefront-clone-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'dev'));
  await mkdir(join(dir, 'bin'));
  for (const file of ['run.mjs', 'install.mjs'])
    await copyFile(join(import.meta.dirname, file), join(dir, 'dev', file));
  const packages = { '': {}, 'node_modules/a': {}, 'node_modules/b': { os: ['nowhere'] } };
  await writeFile(join(dir, 'package-lock.json'), JSON.stringify({ packages }));
  await writeFile(join(dir, 'program.mjs'), "console.log('The program runs.')");
  await writeFile(join(dir, 'bin/npm'), `#!/bin/sh\n${npm}\n`);
  await chmod(join(dir, 'bin/npm'), 0o755);
  const child = spawn(process.execPath, [...nodeOptions, 'dev/run.mjs', 'program.mjs'], {
    cwd: dir,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, PATH: `${join(dir, 'bin')}:${process.env['PATH'] ?? ''}` },
  });
  onTestFinished(() => void child.kill());
  let complaints = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text));
  const ended = once(child, 'close');
  return { dir, lines: createInterface(child.stdout), ended, complaints: () => complaints };
}

test('A person who starts a fresh clone reads what is installed, then the progress, then the program', async () => {
  const { dir, lines } = await cloneWith(`
    mkdir -p node_modules/a node_modules/.bin && echo {} > node_modules/a/package.json
    while [ ! -e released ]; do sleep 0.05; done
    ln -s ${process.execPath} node_modules/.bin/node`);
  const said: string[] = [];
  for await (const line of lines) {
    said.push(line);
    if (said.length === 2) await writeFile(join(dir, 'released'), '');
  }
  expect(said).toEqual([
    expect.stringMatching(/^Installing 1 packages into node_modules, once; this takes a minute or two/),
    expect.stringMatching(/^ {2}1 of 1 packages, \d+ s$/),
    expect.stringMatching(/^Installed in \d+ s\.$/),
    'The program runs.',
  ]);
});

test('A person whose packages cannot be installed reads why, and the program does not start', async () => {
  const { ended, lines, complaints } = await cloneWith('echo no network >&2; exit 1');
  const said: string[] = [];
  for await (const line of lines) said.push(line);
  expect(await ended).toEqual([1, null]);
  expect(complaints()).toContain('The packages could not be installed:\nno network');
  expect(said.join('\n')).not.toContain('The program runs.');
});

test('On Windows a person is sent to WSL, before anything is installed', async () => {
  const asWindows = "data:text/javascript,Object.defineProperty(process, 'platform', { value: 'win32' })";
  const { ended, complaints } = await cloneWith('exit 1', ['--import', asWindows]);
  expect(await ended).toEqual([1, null]);
  expect(complaints()).toContain('On Windows, use WSL');
  expect(complaints()).not.toContain('The packages could not be installed');
});
