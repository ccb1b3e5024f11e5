/** Trouble on demand: a test says what goes wrong with the next calls of the API, and how often. */

export interface Fault {
  /**
   * `error-before`: refused, nothing done. `disconnect-after`: done, but the connection is cut in place of an answer. `hold`:
   * begun, and done once the faults are cleared.
   */
  kind: 'error-before' | 'disconnect-after' | 'hold';
  /** How many calls it happens to: 1 when left out. */
  count?: number;
  /** The answer's status for an error: 500 when left out. */
  status?: number;
  method?: 'GET' | 'POST';
  /** What the path begins with, such as `/v1/payment_intents`; any call of the API when left out. */
  path?: string;
}
export type Faults = ReturnType<typeof openFaults>;

/** A queue of faults: each call suffers the oldest one that is meant for it. */
export function openFaults() {
  let planned: { fault: Fault; left: number }[] = [];
  let held = Promise.withResolvers<undefined>();
  return {
    plan: (fault: Fault): void => {
      planned.push({ fault, left: fault.count ?? 1 });
    },
    clear: (): void => {
      planned = [];
      held.resolve(undefined);
      held = Promise.withResolvers();
    },
    /** Waits until the faults are cleared. */
    untilCleared: (): Promise<undefined> => held.promise,
    take(method: string, path: string): Fault | undefined {
      const next = planned.find(
        ({ fault }) => (fault.method ?? method) === method && path.startsWith(fault.path ?? '/v1/'),
      );
      if (next && --next.left === 0) planned = planned.filter((other) => other !== next);
      return next?.fault;
    },
  };
}
