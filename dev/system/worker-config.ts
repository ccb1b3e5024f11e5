/** Reads wrangler.toml, for tools that run or measure the Worker with another build or other settings. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { z } from 'zod';

export const projectDir = join(import.meta.dirname, '../..');

const workerConfig = z.looseObject({
  compatibility_date: z.string(),
  compatibility_flags: z.array(z.string()),
  assets: z.looseObject({ directory: z.string() }),
  env: z.object({ local: z.looseObject({ vars: z.record(z.string(), z.string()) }) }),
});

/** The configuration of the Worker as it is deployed, and of its local environment. */
export type WorkerConfig = z.infer<typeof workerConfig>;

/** @throws when wrangler.toml is not what the tools expect */
export async function readWorkerConfig(): Promise<WorkerConfig> {
  return workerConfig.parse(parse(await readFile(join(projectDir, 'wrangler.toml'), 'utf8')));
}

/** The configuration with the files of a build in the place of those in the project folder. */
export function withBuild(config: WorkerConfig, buildDir: string): WorkerConfig {
  return {
    ...config,
    main: join(projectDir, 'worker/index.ts'),
    alias: { '#site-renderer': join(buildDir, '.renderer/index.mjs') },
    assets: { ...config.assets, directory: join(buildDir, 'dist') },
  };
}
