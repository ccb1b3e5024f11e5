// @ts-check
/** Installs in `node_modules` exactly what the lock file says, regardless of the machine's Node version. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectDir = fileURLToPath(new URL('..', import.meta.url));

/** The Node that the project's own tools run on. The npm package `node` provides it. */
export const projectNode = join(projectDir, 'node_modules/.bin/node');

/** Installs the exact versions in the lock file unless they are already installed. */
export function ensureInstalled() {
  const stamp = join(projectDir, 'node_modules/.installed');
  const lockFile = readFileSync(join(projectDir, 'package-lock.json'));
  const wanted = createHash('sha256').update(lockFile).digest('hex');
  if (existsSync(projectNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  console.log('Installing the packages into node_modules, once; this takes a minute or two…');
  // Includes dev dependencies. A machine that is set up for production would omit the tools.
  const options = ['--include=dev', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, error } = spawnSync('npm', ['ci', ...options], { cwd: projectDir, stdio: 'inherit' });
  if (status !== 0) {
    console.error(`The packages could not be installed. ${error?.message ?? ''}`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
}
