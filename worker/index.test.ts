import { build } from 'esbuild';
import { join } from 'node:path';
import { expect, test } from 'vitest';

test('Before its first response to a visitor, a new isolate loads neither schemas nor screens', async () => {
  const { metafile } = await build({
    entryPoints: [join(import.meta.dirname, 'index.ts')],
    bundle: true,
    // Modules that load later are separate files.
    splitting: true,
    format: 'esm',
    outdir: 'out',
    write: false,
    metafile: true,
    packages: 'external',
    external: ['#site-renderer'],
  });
  const loaded = new Set<string>();
  const load = (file: string) => {
    for (const { path, kind } of metafile.outputs[file]?.imports ?? []) {
      if (kind !== 'import-statement' || loaded.has(path)) continue;
      loaded.add(path);
      load(path);
    }
  };
  load('out/index.js');
  expect([...loaded].filter((path) => !path.startsWith('out/')).toSorted()).toEqual([
    '#site-renderer',
    '@libsql/client/http',
    'cloudflare:workers',
    'drizzle-orm',
    'drizzle-orm/libsql/http',
    'drizzle-orm/sqlite-core',
    'hono/factory',
  ]);
});
