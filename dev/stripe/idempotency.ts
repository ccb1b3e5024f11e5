/**
 * Stripe's rules for `Idempotency-Key`: the first response to a key is the response for a day, errors included. A
 * request that arrives before that response is rejected. https://docs.stripe.com/api/idempotent_requests,
 * https://docs.stripe.com/error-codes#idempotency-key-in-use
 */
import * as z from 'zod';
import { refuseKeyInUse, StripeFault } from './errors.ts';
import { nowSeconds } from './objects.ts';
import type { State } from './state.ts';

export interface Answer {
  status: number;
  body: string;
}

const secondsKept = 24 * 60 * 60;
const storedAnswer = z.object({ call: z.string(), status: z.number(), body: z.string() });

export function openIdempotency({ database }: State) {
  const find = database.prepare('SELECT * FROM answers WHERE key = ? AND created > ?');
  const keep = database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)');

  const underWay = new Set<string>();

  /** @throws {StripeFault} 400 if the key was used for something else */
  function findAnswer(key: string, call: string): Answer | undefined {
    const row = find.get(key, nowSeconds() - secondsKept);
    if (!row) return undefined;
    const { call: first, ...answer } = storedAnswer.parse(row);
    if (first === call) return answer;
    const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
    throw new StripeFault(400, { type: 'idempotency_error', message }, { isValidation: true });
  }

  /**
   * Executes a call (its URL and parameters), unless its key has a response. If `execute` throws, the key stays free.
   * @throws {StripeFault} 400 if the key was used for something else, 409 if another call with the key is running
   */
  return async function answerOnce(
    key: string | undefined,
    call: string,
    execute: () => Promise<Answer>,
  ): Promise<Answer> {
    if (key === undefined) return execute();
    const known = findAnswer(key, call);
    if (known) return known;
    if (underWay.has(key)) throw refuseKeyInUse(key);
    underWay.add(key);
    try {
      const answer = await execute();
      keep.run(key, call, answer.status, answer.body, nowSeconds());
      return answer;
    } finally {
      underWay.delete(key);
    }
  };
}
