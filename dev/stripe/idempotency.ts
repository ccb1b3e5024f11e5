/**
 * Stripe's promise about `Idempotency-Key`: the first answer to a key is the answer, for a day, errors included.
 * https://docs.stripe.com/api/idempotent_requests
 */
import * as z from 'zod';
import { StripeFault } from './errors.ts';
import { nowSeconds } from './objects.ts';
import type { State } from './state.ts';

export interface Answer {
  status: number;
  body: string;
}

const secondsKept = 24 * 60 * 60;
const storedAnswer = z.object({ call: z.string(), status: z.number(), body: z.string() });

/** Remembers answers by key in `state`. */
export function openIdempotency({ database }: State) {
  const find = database.prepare('SELECT * FROM answers WHERE key = ? AND created > ?');
  const keep = database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)');

  /**
   * Executes a call (its address and parameters), unless its key has an answer. What `execute` throws leaves the key free.
   * Nothing else runs meanwhile, so no two requests hold a key at once.
   * @throws {StripeFault} 400 when the key was used for something else
   */
  return function answerOnce(
    key: string | undefined,
    call: string,
    execute: () => Answer,
  ): Answer & { isReplayed: boolean } {
    const row = key === undefined ? undefined : find.get(key, nowSeconds() - secondsKept);
    if (row) {
      const { call: first, ...answer } = storedAnswer.parse(row);
      if (first === call) return { ...answer, isReplayed: true };
      const message = `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`;
      throw new StripeFault(400, { type: 'idempotency_error', message }, { isValidation: true });
    }
    const answer = execute();
    if (key !== undefined) keep.run(key, call, answer.status, answer.body, nowSeconds());
    return { ...answer, isReplayed: false };
  };
}
