/**
 * Builds the site: the deployed files (`dist`), and the same pages compiled for the Worker (`.renderer`), both with the
 * build id. Every build has a unique id, even for the same pages. Stored pages and their policies have the id of the
 * build that created them.
 */
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { cp, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export interface BuildOptions {
  /** The folder that will contain `dist` and `.renderer`. */
  readonly buildDir: string;
  readonly siteUrl: string;
  readonly databaseUrl: string;
  readonly databaseToken?: string | undefined;
}

const projectDir = join(import.meta.dirname, '../..');

function runAstro(target: 'static' | 'worker', buildDir: string, options: BuildOptions): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  let output = '';
  const child = spawn(process.execPath, [join(projectDir, 'node_modules/astro/bin/astro.mjs'), 'build'], {
    cwd: projectDir,
    env: {
      ...process.env,
      BUILD_TARGET: target,
      BUILD_DIR: buildDir,
      SITE_URL: options.siteUrl,
      TURSO_DATABASE_URL: options.databaseUrl,
      ...(options.databaseToken && { TURSO_AUTH_TOKEN: options.databaseToken }),
      ASTRO_TELEMETRY_DISABLED: '1',
      NODE_ENV: 'production',
    },
  });
  const collect = (chunk: Buffer) => (output += chunk.toString());
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  child.on('error', reject);
  child.on('exit', (code) => {
    if (code === 0) resolve(undefined);
    else reject(new Error(`The ${target} build of the site failed:\n${output.slice(-4_000)}`));
  });
  return promise;
}

/**
 * Builds both forms of the site.
 * @throws if a page does not build, or the database cannot be read or does not have three packages
 * @returns the id of the build
 */
export async function buildSite(options: BuildOptions): Promise<string> {
  // Astro runs its output, which needs node_modules in a parent folder, so the build runs inside the project, and
  // the result is moved.
  const workshop = join(projectDir, 'node_modules/.cache/site', randomUUID());
  try {
    await Promise.all([runAstro('static', workshop, options), runAstro('worker', workshop, options)]);
    await mkdir(options.buildDir, { recursive: true });
    for (const [from, to] of [
      ['dist', 'dist'],
      ['.renderer/server', '.renderer/server'],
    ] as const) {
      await rm(join(options.buildDir, to), { recursive: true, force: true });
      await cp(join(workshop, from), join(options.buildDir, to), { recursive: true });
    }
  } finally {
    await rm(workshop, { recursive: true, force: true });
  }
  const renderer = join(options.buildDir, '.renderer');
  const buildId = randomBytes(8).toString('hex');
  await writeFile(
    join(renderer, 'index.mjs'),
    // Loaded at the first render, because most isolates never render a page.
    `export const renderPage = async (...asked) => (await import('./server/entry.mjs')).renderPage(...asked);
export const unsafeLinkIn = async (text) => (await import('./server/entry.mjs')).unsafeLinkIn(text);
export const buildId = '${buildId}';
`,
  );
  return buildId;
}
