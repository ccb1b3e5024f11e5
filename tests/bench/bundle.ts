/** The size of the Worker as uploaded. */
import { readFile } from 'node:fs/promises';
import { gzipSync } from 'node:zlib';
import { startTestSystem } from '../support/system.ts';
import { atMost, type Measure } from './figures.ts';
import { bundleWorker } from './runtime.ts';

const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;

export const bundle: Measure = {
  name: 'bundle',
  how: 'wrangler deploy --dry-run with the production configuration',
  take: async (tell) => {
    // The bundle contains the compiled pages, which a system builds from its database.
    const system = await startTestSystem();
    await system.stop();
    const { file, remove } = await bundleWorker();
    try {
      const code = await readFile(file);
      const size = gzipSync(code).byteLength;
      const told = `${kib(size)} (${kib(code.byteLength)} uncompressed)`;
      tell(atMost('Worker bundle, gzip', size, 600 * 1024, kib, told));
    } finally {
      await remove();
    }
  },
};
