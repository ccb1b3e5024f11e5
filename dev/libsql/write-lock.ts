/**
 * SQLite lets one connection write at a time. Requests run to completion without a pause, so they find the lock
 * taken only if another stream holds a transaction open between its requests. They then try again and again,
 * without blocking the event loop.
 */
import { LockedError } from './errors.ts';

/** A request that has waited this long gets SQLITE_BUSY. */
const LOCK_WAIT_MS = 5_000;
const LOOK_AGAIN_MS = 5;

/**
 * Does work that takes the lock, as soon as the lock is free.
 * @param work throws a LockedError if the lock is taken
 * @param isOver whether nobody waits any more
 */
export async function runUnlocked<T>(work: () => T, isOver: () => boolean): Promise<T> {
  const deadline = performance.now() + LOCK_WAIT_MS;
  for (;;) {
    try {
      return work();
    } catch (error) {
      if (!(error instanceof LockedError) || isOver() || performance.now() >= deadline) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS));
    if (isOver()) throw new LockedError();
  }
}
