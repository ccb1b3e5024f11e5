/** The size of the Worker as it is uploaded, and what the runtime does before its first request. */
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { startTestSystem } from '../support/system.ts';
import { below, ms, type Measure } from './figures.ts';
import { bundleWorker, wrangler } from './runtime.ts';

const kib = (bytes: number) => `${(bytes / 1024).toFixed(0)} KiB`;

/** Time that the runtime was busy while the Worker started, in ms, as wrangler's profile tells it. */
async function profileStartup(configFile: string): Promise<number> {
  const dir = await mkdtemp(join(tmpdir(), 'storefront-startup-'));
  try {
    const upload = join(dir, 'worker.bundle');
    await wrangler('deploy', '--dry-run', '--outfile', upload, '-c', configFile);
    const profile = join(dir, 'startup.cpuprofile');
    const said = await wrangler(
      'check',
      'startup',
      '--worker',
      upload,
      '--outfile',
      profile,
      '-c',
      configFile,
    );
    return Number(/Active:\s*([\d.]+) ms/.exec(said)?.[1]);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

export const bundle: Measure = {
  name: 'bundle',
  how: 'wrangler deploy --dry-run with the production configuration; wrangler check startup',
  take: async (tell) => {
    // The bundle holds the compiled pages, which a system builds from its database.
    const system = await startTestSystem();
    await system.stop();
    const { file, configFile, remove } = await bundleWorker();
    try {
      const code = await readFile(file);
      tell(
        below(
          'Worker bundle, gzip',
          gzipSync(code).byteLength,
          700 * 1024,
          kib,
          `${kib(gzipSync(code).byteLength)} (${kib(code.byteLength)} before)`,
        ),
      );
      tell({ of: 'start-up, busy time on this machine', value: ms(await profileStartup(configFile)) });
    } finally {
      await remove();
    }
  },
};
