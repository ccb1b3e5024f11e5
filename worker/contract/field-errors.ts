/** What a schema finds wrong, as browser and server tell it. */
import type { z } from 'zod';
import type { FieldErrors } from './problem.ts';

/** First sentence for each field that does not hold; empty when all hold. */
export function fieldErrorsOf({ error }: z.ZodSafeParseResult<unknown>): FieldErrors {
  const errors: Record<string, string> = {};
  for (const issue of error?.issues ?? []) {
    const keys = issue.code === 'unrecognized_keys' ? issue.keys : [String(issue.path[0] ?? 'body')];
    for (const key of keys)
      errors[key] ??= issue.code === 'unrecognized_keys' ? 'There is no such field.' : issue.message;
  }
  return errors;
}
