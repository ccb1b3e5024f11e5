/**
 * SQLite lets one connection write at a time. Requests run to their end without a pause, so they only ever find
 * the lock taken when another stream holds a transaction open between its requests. Who finds it taken waits here,
 * first come first served, without holding up the event loop.
 */
import { LockedError } from './errors.ts';

/** What holds or waits for the lock. */
export interface LockUser {
  readonly inTransaction: boolean;
  /** Rolls the open transaction back, because it was held too long. */
  timeOut(): void;
}

export interface LockLimits {
  /** While others wait, a write transaction held longer than this is rolled back, as Turso does. */
  transactionMaxMs: number;
  /** Who has waited this long gets SQLITE_BUSY. */
  lockWaitMs: number;
}

interface Waiter {
  since: number;
  wake: () => void;
  giveUp: () => void;
}

/** How often those who wait look again; the end of a transaction wakes them at once. */
const LOOK_AGAIN_MS = 20;

export class WriteLock {
  readonly #limits: LockLimits;
  readonly #isHeld: () => boolean;
  readonly #waiters: Waiter[] = [];
  #holder: { user: LockUser; since: number } | null = null;
  #timer: NodeJS.Timeout | undefined;

  /** @param isHeld whether any connection holds the lock now */
  constructor(limits: LockLimits, isHeld: () => boolean) {
    this.#limits = limits;
    this.#isHeld = isHeld;
  }

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

  /** Takes note that a user's request has ended: it may now hold the lock, or have let it go. */
  observe(user: LockUser): void {
    if (this.#holder?.user === user && !user.inTransaction) this.#holder = null;
    if (this.#holder === null && user.inTransaction && this.#isHeld()) {
      this.#holder = { user, since: performance.now() };
    }
    if (this.#holder === null) this.#waiters[0]?.wake();
  }

  /** Lets nobody wait any longer: each gets SQLITE_BUSY. */
  turnAllAway(): void {
    for (const waiter of this.#waiters) waiter.giveUp();
  }

  #lookAgain(): void {
    const now = performance.now();
    if (this.#holder !== null && now - this.#holder.since >= this.#limits.transactionMaxMs) {
      this.#holder.user.timeOut();
      this.#holder = null;
    }
    if (this.#holder === null) this.#waiters[0]?.wake();
    for (const waiter of this.#waiters) if (now - waiter.since >= this.#limits.lockWaitMs) waiter.giveUp();
    if (this.#waiters.length === 0) {
      clearInterval(this.#timer);
      this.#timer = undefined;
    }
  }
}
