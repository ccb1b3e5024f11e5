/** Trouble on demand: a test says what goes wrong with the next calls of the API, and how often. */
import { z } from 'zod';

export const faultSchema = z.strictObject({
  /**
   * `error-before`: refused, nothing done. `error-after`: done, but refused all the same. `disconnect-before` and
   * `disconnect-after`: the same with a cut connection in place of an answer. `delay`: answered late.
   */
  kind: z.enum(['error-before', 'error-after', 'disconnect-before', 'disconnect-after', 'delay']),
  /** How many calls it happens to. */
  count: z.int().min(1).default(1),
  /** The answer's status for the two kinds of error. */
  status: z.int().min(400).max(599).default(500),
  /** How long a `delay` holds the call before it is executed. */
  delayMs: z.int().min(0).default(1000),
  method: z.enum(['GET', 'POST']).optional(),
  /** What the path begins with, such as `/v1/payment_intents`; any call of the API when left out. */
  path: z.string().default('/v1/'),
});
export type Fault = z.infer<typeof faultSchema>;
export type Faults = ReturnType<typeof openFaults>;

/** A queue of faults: each call suffers the oldest one that is meant for it. */
export function openFaults() {
  let planned: Fault[] = [];
  return {
    plan(fault: Fault): void {
      planned.push({ ...fault });
    },
    clear(): void {
      planned = [];
    },
    take(method: string, path: string): Fault | undefined {
      const fault = planned.find(
        (candidate) => (candidate.method ?? method) === method && path.startsWith(candidate.path),
      );
      if (fault && --fault.count === 0) planned = planned.filter((other) => other !== fault);
      return fault;
    },
  };
}
