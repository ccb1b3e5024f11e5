/** The first start of a fresh clone: what somebody reads while the packages come. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { packageFolders } from './install.mjs';

/** A clone without packages, in which `npm` does what a script says, and the program says that it runs. */
async function cloneWith(npm: string) {
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
  const child = spawn(process.execPath, ['dev/run.mjs', 'program.mjs'], {
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

test('Before the first package is there one reads what is being done, then how far it is, then the program', async () => {
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

test('Where the packages cannot be installed one reads why, and the program does not start', async () => {
  const { ended, lines, complaints } = await cloneWith('echo no network >&2; exit 1');
  const said: string[] = [];
  for await (const line of lines) said.push(line);
  expect(await ended).toEqual([1, null]);
  expect(complaints()).toContain('The packages could not be installed:\nno network');
  expect(said.join('\n')).not.toContain('The program runs.');
});

test('Every package that belongs on this machine is counted', async () => {
  const lockFile = await readFile(join(import.meta.dirname, '../package-lock.json'), 'utf8');
  const folders = packageFolders(lockFile, '/clone');
  expect(folders).toContain('/clone/node_modules/hono');
  expect(folders).toContain(`/clone/node_modules/@esbuild/${process.platform}-${process.arch}`);
  expect(folders).not.toContain('/clone/node_modules/@esbuild/aix-ppc64');
});
