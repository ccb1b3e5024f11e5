/**
 * SQLite lets one connection write at a time. Requests run to completion without a pause, so they find the lock
 * taken only if another stream holds a transaction open between its requests. They then wait here, first come
 * first served, without blocking the event loop.
 */
import { LockedError } from './errors.ts';

interface Waiter {
  since: number;
  wake: () => void;
  giveUp: () => void;
}

/** A request that has waited this long gets SQLITE_BUSY. */
const LOCK_WAIT_MS = 5_000;
/** How often waiting requests try again. The end of a transaction wakes them at once. */
const LOOK_AGAIN_MS = 20;

export class WriteLock {
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * Runs work that takes the lock, after the earlier callers.
   * @param work throws a LockedError if the lock is taken
   * @param signal ends the wait
   */
  async runInTurn<T>(work: () => T, signal: AbortSignal): Promise<T> {
    const waiter: Waiter = { since: performance.now(), wake: () => undefined, giveUp: () => undefined };
    this.#waiters.push(waiter);
    this.#timer ??= setInterval(() => this.#lookAgain(), LOOK_AGAIN_MS);
    try {
      for (;;) {
        await new Promise<void>((resolve, reject) => {
          waiter.wake = resolve;
          waiter.giveUp = () => reject(new LockedError());
          signal.addEventListener('abort', () => reject(new LockedError()), { once: true });
        });
        try {
          return work();
        } catch (error) {
          if (!(error instanceof LockedError)) throw error;
        }
      }
    } finally {
      this.#waiters.splice(this.#waiters.indexOf(waiter), 1);
    }
  }

  /** Lets the first in line try, because the lock may be free now. */
  wakeNext(): void {
    this.#waiters[0]?.wake();
  }

  /** Ends every wait with SQLITE_BUSY. */
  turnAllAway(): void {
    for (const waiter of this.#waiters) waiter.giveUp();
  }

  #lookAgain(): void {
    const now = performance.now();
    // This comes before any of them is woken, because a woken request no longer gives up.
    for (const waiter of this.#waiters) if (now - waiter.since >= LOCK_WAIT_MS) waiter.giveUp();
    this.wakeNext();
    if (this.#waiters.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
