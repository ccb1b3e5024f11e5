/**
 * Stripe's promise about `Idempotency-Key`: the first answer to a key is the answer, for a day, errors included.
 * https://docs.stripe.com/api/idempotent_requests
 */
import { z } from 'zod';
import { StripeFault } from './errors.ts';
import { nowSeconds } from './objects.ts';
import type { State } from './state.ts';

export interface Answer {
  status: number;
  body: string;
}

const secondsKept = 24 * 60 * 60;
const storedAnswer = z.object({
  call: z.string(),
  status: z.number(),
  body: z.string(),
});

function refuseKey(status: number, message: string, code?: string): StripeFault {
  const error = { type: 'idempotency_error' as const, message, ...(code ? { code } : {}) };
  return new StripeFault(status, error, { isValidation: true });
}

/** Remembers answers by key in `state`; keys in use are known to this process alone. */
export function openIdempotency({ database }: State) {
  const inUse = new Set<string>();
  const find = database.prepare('SELECT * FROM answers WHERE key = ? AND created > ?');
  const keep = database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)');

  /** The answer given before, if any. */
  function recall(key: string, call: string): Answer | undefined {
    const row = find.get(key, nowSeconds() - secondsKept);
    if (!row) return undefined;
    const { call: first, ...answer } = storedAnswer.parse(row);
    if (first === call) return answer;
    throw refuseKey(
      400,
      `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
    );
  }

  return {
    /**
     * Executes a call (its address and parameters), unless its key has an answer. What `execute` throws leaves the key free.
     * @throws {StripeFault} 409 while another request holds the key, 400 when it was used for something else
     */
    async answerOnce(
      key: string | undefined,
      call: string,
      execute: () => Promise<Answer>,
    ): Promise<Answer & { isReplayed: boolean }> {
      if (key === undefined) return { ...(await execute()), isReplayed: false };
      if (inUse.has(key))
        throw refuseKey(
          409,
          `There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): ${key}. Please try again later.`,
          'idempotency_key_in_use',
        );
      const replay = recall(key, call);
      if (replay) return { ...replay, isReplayed: true };
      inUse.add(key);
      try {
        const answer = await execute();
        keep.run(key, call, answer.status, answer.body, nowSeconds());
        return { ...answer, isReplayed: false };
      } finally {
        inUse.delete(key);
      }
    },
  };
}
