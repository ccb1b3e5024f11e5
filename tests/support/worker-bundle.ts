/**
 * The Worker as one module that Node can import. Each import with another query creates a new isolate, because Node
 * evaluates the module again.
 */
import { build } from 'esbuild';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as Entry from './in-process-entry.ts';
import { hashFile, makeHashesCheap } from './cheap-hashes.ts';
import { sharedBuild } from './system.ts';

const bundleFile = join(sharedBuild, 'in-process.mjs');

/** Bundles the Worker with the built site of the tests. */
export async function bundleForNode(): Promise<void> {
  await build({
    entryPoints: [join(import.meta.dirname, 'in-process-entry.ts')],
    outfile: bundleFile,
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    sourcemap: 'inline',
    // Sends log lines to the copies of the process (in-process-system.ts) instead of between the test results.
    define: { 'console.log': 'globalThis.workerLog' },
    // Packages and the compiled pages store nothing about a request, so all isolates of a process share them.
    packages: 'external',
    plugins: [
      {
        name: 'worker-modules',
        setup(build) {
          const resolveTo = (filter: RegExp, path: string, external: boolean) => {
            build.onResolve({ filter }, () => ({ path, external }));
          };
          build.onLoad({ filter: hashFile }, async ({ path }) => ({
            contents: makeHashesCheap(await readFile(path, 'utf8')),
            loader: 'ts',
          }));
          resolveTo(/^cloudflare:workers$/, join(import.meta.dirname, 'cloudflare-workers.ts'), false);
          resolveTo(/^#site-renderer$/, join(sharedBuild, '.renderer/index.mjs'), true);
        },
      },
    ],
    logLevel: 'error',
  });
}

let isolates = 0;

/** Imports the Worker with its own memory. */
export const openIsolate = (): Promise<typeof Entry> => {
  isolates += 1;
  return import(
    /* @vite-ignore */ `${pathToFileURL(bundleFile).href}?isolate=${String(isolates)}`
  ) as Promise<typeof Entry>;
};
