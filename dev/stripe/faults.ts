/**
 * Planned faults. A test says what goes wrong with the next API calls, and how often.
 *
 * The emulator does not count calls per second, because that would test the machine. Instead,
 * `tests/api/stripe-calls.all.test.ts` limits how often the product calls.
 */

export interface FaultPlan {
  /**
   * `error-before`: rejected without any effect. `disconnect-after`: executed, but the connection is closed without a
   * response. `hold`: started, and finished once the faults are cleared.
   */
  kind: 'disconnect-after' | 'error-before' | 'hold';
  /** The number of calls; one if undefined. */
  count?: number;
  /** The status of an error; 500 if undefined. */
  status?: number;
  /** Any method if undefined. */
  method?: 'GET' | 'POST';
  /** A prefix of the path, such as `/v1/payment_intents`; any API call if undefined. */
  path?: string;
}

/** A plan with its defaults filled in. */
export type Fault = FaultPlan & { count: number; status: number; path: string };
export type Faults = ReturnType<typeof openFaults>;

/** A queue of faults. Each call gets the oldest fault that matches it. */
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
