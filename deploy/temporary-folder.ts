/**
 * Leaves no half-done files behind, even if Ctrl-C ends a command (`runMain`): the folder of an upload contains secrets,
 * and a cut backup looks like a whole one.
 */
import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Removes a file or folder if the process ends before the work on it does. */
export async function removedIfCut<T>(path: string, work: () => Promise<T>): Promise<T> {
  // A program that Ctrl-C ends, too, may still be writing into the folder.
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
    return await removedIfCut(dir, () => work(dir));
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}
