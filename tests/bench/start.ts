/** How long `npm start` takes to say Ready, once everything is installed and built. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePort } from '#dev/system/worker-process.ts';
import { below, median, type Measure } from './figures.ts';

const projectDir = join(import.meta.dirname, '../..');
const starts = 3;

const seconds = (value: number) => `${(value / 1_000).toFixed(1)} s`;

/** Starts, waits for Ready, and ends it as Ctrl-C does; answers the time to Ready in ms. */
async function startOnce(dataDir: string, port: number): Promise<number> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, ['dev/run.mjs', 'dev/start.ts'], {
    cwd: projectDir,
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port) },
  });
  const ended = once(child, 'exit');
  const interrupt = () => child.kill('SIGINT');
  // However this process ends, what it started must not outlive it.
  process.once('exit', interrupt);
  let readyMs: number | undefined;
  for await (const line of createInterface(child.stdout)) {
    if (!line.startsWith('Ready')) continue;
    readyMs = performance.now() - startedAt;
    interrupt();
  }
  await ended;
  process.off('exit', interrupt);
  if (readyMs === undefined) throw new Error('npm start ended before it was ready.');
  return readyMs;
}

export const start: Measure = {
  name: 'start',
  how: `what npm start runs → Ready, with a data folder of its own: the first start, then the median of ${starts} more`,
  take: async (tell) => {
    const dataDir = await mkdtemp(join(tmpdir(), 'storefront-start-'));
    const port = await freePort();
    try {
      tell({ of: 'first start (migrates, seeds, builds)', value: seconds(await startOnce(dataDir, port)) });
      const again: number[] = [];
      for (let count = 0; count < starts; count += 1) again.push(await startOnce(dataDir, port));
      tell(below('second start', median(again), 8_000, seconds));
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
};
