// @ts-check
/** Brings `node_modules` to what the lock file says, on whatever Node the machine has. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectDir = fileURLToPath(new URL('..', import.meta.url));

/** The Node that the project's own tools run on: the npm package `node` brings it. */
export const projectNode = join(projectDir, 'node_modules/.bin/node');

/** Installs the exact versions of the lock file unless they are there already. */
export function ensureInstalled() {
  const stamp = join(projectDir, 'node_modules/.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(projectDir, 'package-lock.json')))
    .digest('hex');
  if (existsSync(projectNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  console.log('Installing packages (once; about a minute) …');
  const { status, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: projectDir,
    stdio: ['ignore', 'inherit', 'pipe'],
    encoding: 'utf8',
  });
  if (status !== 0) {
    console.error(`The packages could not be installed:\n${stderr}`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
