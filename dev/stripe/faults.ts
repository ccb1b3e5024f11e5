/**
 * Planned faults. A test says what goes wrong with the next calls of the API, and how often.
 *
 * Stripe's rate limit (https://docs.stripe.com/rate-limits: 100 calls per second, 25 in a sandbox) and its locks on
 * objects are faults too. The emulator does not count calls per second, because that would test the machine. A slow
 * machine never reaches such a limit, and a test that controls the clock makes a day's calls in one second. Tests plan
 * a fault where the product must handle one, and `tests/api/stripe-calls.all.test.ts` limits how often the product
 * calls.
 */

/** What goes wrong, with which calls. */
export interface FaultPlan {
  /**
   * `error-before`: refused without any effect. `rate-limit`: refused with 429, because of too many calls.
   * `lock-timeout`: refused with 429, because another call has locked the object. `disconnect-after`: executed, but the
   * connection is closed without an answer. `hold`: started, and finished once the faults are cleared.
   */
  kind: 'disconnect-after' | 'error-before' | 'hold' | 'lock-timeout' | 'rate-limit';
  /** The number of calls; one if undefined. */
  count?: number;
  /** The status of an error; 500 if undefined. */
  status?: number;
  /** Any method if undefined. */
  method?: 'GET' | 'POST';
  /** A prefix of the path, such as `/v1/payment_intents`; any API call if undefined. */
  path?: string;
}

/** A plan whose defaults are filled in. */
export type Fault = FaultPlan & { count: number; status: number; path: string };
export type Faults = ReturnType<typeof openFaults>;

/** A queue of faults. Each call gets the oldest one that matches it. */
export function openFaults() {
  let planned: Fault[] = [];
  let held = Promise.withResolvers<undefined>();
  return {
    plan(fault: FaultPlan): void {
      planned.push({ count: 1, status: 500, path: '/v1/', ...fault });
    },
    clear(): void {
      planned = [];
      held.resolve(undefined);
      held = Promise.withResolvers();
    },
    /** Waits until the faults are cleared. */
    untilCleared: (): Promise<undefined> => held.promise,
    take(method: string, path: string): Fault | undefined {
      const fault = planned.find(
        (candidate) => (candidate.method ?? method) === method && path.startsWith(candidate.path),
      );
      if (fault && --fault.count === 0) planned = planned.filter((other) => other !== fault);
      return fault;
    },
  };
}
