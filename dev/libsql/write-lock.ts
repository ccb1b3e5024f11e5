/**
 * SQLite lets one connection write at a time. Requests run to their end without a pause, so they only ever find
 * the lock taken when another stream holds a transaction open between its requests. Who finds it taken waits here,
 * first come first served, without holding up the event loop.
 */
import { LockedError } from './errors.ts';

interface Waiter {
  since: number;
  wake: () => void;
  giveUp: () => void;
}

/** Who has waited this long gets SQLITE_BUSY. */
const LOCK_WAIT_MS = 5_000;
/** How often those who wait look again; the end of a transaction wakes them at once. */
const LOOK_AGAIN_MS = 20;

export class WriteLock {
  readonly #waiters: Waiter[] = [];
  #timer: NodeJS.Timeout | undefined;

  /**
   * Does work that takes the lock, after those who came before.
   * @param work throws a LockedError when the lock is taken
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

  /** Lets the first who waits try: the lock may be free now. */
  wakeNext(): void {
    this.#waiters[0]?.wake();
  }

  /** Lets nobody wait any longer: each gets SQLITE_BUSY. */
  turnAllAway(): void {
    for (const waiter of this.#waiters) waiter.giveUp();
  }

  #lookAgain(): void {
    const now = performance.now();
    // Before anybody is woken: who has been woken no longer gives up.
    for (const waiter of this.#waiters) if (now - waiter.since >= LOCK_WAIT_MS) waiter.giveUp();
    this.wakeNext();
    if (this.#waiters.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
