// @ts-check
/**
 * Installs in `node_modules` exactly what the lock file says, on whatever Node the machine has. It shows its
 * progress, because npm prints nothing until it is done.
 */
import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const projectDir = fileURLToPath(new URL('..', import.meta.url));

/** The Node that the project's own tools run on. The npm package `node` provides it. */
export const projectNode = join(projectDir, 'node_modules/.bin/node');

/** How often it shows its progress, in ms: in a terminal on one line, elsewhere each time on a new line. */
const tellEveryMs = process.stdout.isTTY ? 500 : 5_000;

/** @typedef {{ os?: string[], cpu?: string[], libc?: string[] }} Place what a package requires of a machine */

/**
 * The folders in which npm puts the packages for this machine.
 * @param {string} lockFile the text of `package-lock.json`
 * @param {string} dir the project's folder
 * @returns {string[]}
 */
function packageFolders(lockFile, dir = projectDir) {
  /** @type {unknown} */
  const parsed = JSON.parse(lockFile);
  const { packages } = /** @type {{ packages: Record<string, Place> }} */ (parsed);
  return Object.entries(packages)
    .filter(
      ([path, { os, cpu, libc }]) =>
        path !== '' &&
        (os?.includes(process.platform) ?? true) &&
        (cpu?.includes(process.arch) ?? true) &&
        (libc?.includes('glibc') ?? true),
    )
    .map(([path]) => join(dir, path));
}

/** @param {string} text replaces the previous line where the output allows it */
function tell(text) {
  process.stdout.write(process.stdout.isTTY ? `\r${text}\u001B[K` : `${text}\n`);
}

/**
 * Installs the exact versions of the lock file unless they are already installed.
 * @returns {Promise<void>}
 */
export async function ensureInstalled() {
  const stamp = join(projectDir, 'node_modules/.installed');
  const lockFile = readFileSync(join(projectDir, 'package-lock.json'), 'utf8');
  const wanted = createHash('sha256').update(lockFile).digest('hex');
  if (existsSync(projectNode) && existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;

  const folders = packageFolders(lockFile);
  console.log(`Installing ${folders.length} packages into node_modules, once; this takes a minute or two…`);
  const startedAt = Date.now();
  const progress = setInterval(() => {
    const there = folders.filter((folder) => existsSync(join(folder, 'package.json'))).length;
    const seconds = Math.round((Date.now() - startedAt) / 1_000);
    tell(`  ${there} of ${folders.length} packages, ${seconds} s`);
  }, tellEveryMs);
  // Dev dependencies too: a machine that is set up for production would omit the tools.
  const child = spawn('npm', ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: projectDir,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (/** @type {string} */ text) => (said += text));
  /** @type {number | null} */
  const status = await new Promise((resolve) => {
    child.on('error', (error) => {
      said += error.message;
      resolve(null);
    });
    child.on('close', resolve);
  });
  clearInterval(progress);
  if (status !== 0) {
    console.error(`\nThe packages could not be installed:\n${said}`);
    process.exit(1);
  }
  writeFileSync(stamp, wanted);
  tell(`Installed in ${Math.round((Date.now() - startedAt) / 1_000)} s.`);
  if (process.stdout.isTTY) console.log();
}
