/**
 * The packages of the product: exact versions, none with a known vulnerability, and no foreign script at installation.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const projectDir = join(import.meta.dirname, '../..');

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

interface LockFile {
  readonly packages: Readonly<
    Record<
      string,
      {
        readonly version?: string;
        readonly resolved?: string;
        readonly integrity?: string;
        readonly optional?: boolean;
        readonly inBundle?: boolean;
      }
    >
  >;
}

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(join(projectDir, file), 'utf8'));
const manifest = (await readJson('package.json')) as Manifest;
const lock = (await readJson('package-lock.json')) as LockFile;
const direct = { ...manifest.dependencies, ...manifest.devDependencies };
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

test('Every dependency has an exact version, which is the one in the lock file', () => {
  for (const [name, asked] of Object.entries(direct)) {
    // An aliased package contains the real package's name before its version.
    const version = asked.replace(/^npm:[\w@/-]+@/, '');
    expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
    expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
  }
});

/** The first versions without a vulnerability that would affect this site. */
const firstSafe = { hono: '4.13.5', 'drizzle-orm': '0.45.2', astro: '7.0.4', wrangler: '4.59.2' };

test('No package goes back to a version with a known vulnerability', () => {
  for (const [name, version] of Object.entries(firstSafe))
    expect(direct[name]?.localeCompare(version, 'en', { numeric: true }), name).toBeGreaterThanOrEqual(0);
});

/** Optional parts for other platforms. Some mirrors of the registry lack them. */
const otherPlatforms =
  /^node_modules\/@(astrojs\/compiler-binding-(android|darwin|linux-arm64|wasm32|win32)|cloudflare\/workerd-(darwin|windows))/;

test('Every package comes from the registry with a hash of its bytes', () => {
  expect(locked.length).toBeGreaterThan(100);
  for (const [path, { resolved, integrity, inBundle, optional }] of locked) {
    if (inBundle || (optional && integrity === undefined && otherPlatforms.test(path))) continue;
    if (resolved !== undefined) expect(resolved, path).toMatch(/^https:\/\/registry\.npmjs\.org\//);
    expect(integrity, path).toMatch(/^sha512-/);
  }
});

test('Only the install script of Node itself may run', () => {
  const allowed = Object.entries(manifest.allowScripts).filter(([, may]) => may);
  expect(allowed).toEqual([['node', true]]);
});
