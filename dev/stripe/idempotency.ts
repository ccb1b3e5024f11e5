/**
 * Stripe's promise about `Idempotency-Key`: the first answer to a key is the answer, for a day, errors included.
 * https://docs.stripe.com/api/idempotent_requests
 */
import { z } from 'zod';
import { StripeFault } from './errors.ts';
import { nowSeconds } from './objects.ts';
import { type State } from './state.ts';

export interface Answer {
  status: number;
  body: string;
}

const secondsKept = 24 * 60 * 60;
const storedAnswer = z.object({
  call: z.string(),
  parameters: z.string(),
  status: z.number(),
  body: z.string(),
});

function idempotencyFault(status: number, message: string, code?: string): StripeFault {
  const error = { type: 'idempotency_error' as const, message, ...(code ? { code } : {}) };
  return new StripeFault(status, error, { isValidation: true });
}

/** Remembers answers by key in `state`; keys in use are known to this process alone. */
export function openIdempotency({ database }: State) {
  const inUse = new Set<string>();
  const find = database.prepare(
    'SELECT call, parameters, status, body FROM answers WHERE key = ? AND created > ?',
  );
  const keep = database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?, ?)');

  return {
    /**
     * Claims a key for a call until `release`.
     * @returns the answer given before, or undefined when the call is to be executed
     * @throws {StripeFault} 409 while another request holds the key, 400 when it was used for something else
     */
    claim(key: string, call: string, parameters: string): Answer | undefined {
      if (inUse.has(key))
        throw idempotencyFault(
          409,
          `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
          'idempotency_key_in_use',
        );
      const row = find.get(key, nowSeconds() - secondsKept);
      if (!row) {
        inUse.add(key);
        return undefined;
      }
      const stored = storedAnswer.parse(row);
      const advice = `Try using a key other than '${key}' if you meant to execute a different request.`;
      if (stored.call !== call)
        throw idempotencyFault(
          400,
          `Keys for idempotent requests can only be used for the same endpoint they were first used for ('${call}' vs '${stored.call}'). ${advice}`,
        );
      if (stored.parameters !== parameters)
        throw idempotencyFault(
          400,
          `Keys for idempotent requests can only be used with the same parameters they were first used with. ${advice}`,
        );
      return { status: stored.status, body: stored.body };
    },

    /** Keeps the answer to a claimed key. */
    remember(key: string, call: string, parameters: string, answer: Answer): void {
      keep.run(key, call, parameters, answer.status, answer.body, nowSeconds());
    },

    release(key: string): void {
      inUse.delete(key);
    },
  };
}
