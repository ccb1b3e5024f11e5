/**
 * Leaves no unfinished files behind, even if Ctrl-C ends a command (`runMain`). The folder of an upload contains secrets,
 * and an unfinished backup looks like a complete one.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removes a file or folder if the process ends before the work on it does. */
export async function cleanUpIfInterrupted<T>(path: string, work: () => Promise<T>): Promise<T> {
  // Ctrl-C also ends the programs that this command started. They may still be writing into the folder.
  const remove = () => rmSync(path, { recursive: true, force: true, maxRetries: 10 });
  process.once('exit', remove);
  try {
    return await work();
  } finally {
    process.off('exit', remove);
  }
}

export async function inTemporaryFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'deploy-'));
  try {
    return await cleanUpIfInterrupted(dir, () => work(dir));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
