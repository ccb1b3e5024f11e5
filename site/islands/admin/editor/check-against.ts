/** The check of a form whose call has a schema of its own. */
import type { z } from 'zod';
import { fieldErrorsOf, type FieldErrors } from '#contract/problem.ts';
import type { Values } from '../content-calls.ts';

/** The first sentence for each field that does not hold against the schema of a call. */
export function checkAgainst(schema: z.ZodType, values: Values): FieldErrors {
  return fieldErrorsOf(schema.safeParse(values));
}
