/** The check that the server makes, made before it is asked, so that an error stands beside its field at once. */
import type { z } from 'zod';
import type { FieldErrors } from '#contract/problem.ts';
import { fieldErrorsOf } from '#contract/field-errors.ts';
import { addSchema, updateSchema } from '#contract/fields.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { toSent, type Values } from '../content-calls.ts';

/** The first sentence for each field that does not hold; empty when all hold. */
export function checkValues(name: SectionName, verb: 'add' | 'update', values: Values): FieldErrors {
  const section = sectionNamed(name);
  const schema = verb === 'add' ? addSchema(section) : updateSchema(section);
  return checkAgainst(schema, toSent(name, values));
}

/** The first sentence for each field that does not hold against the schema of a call. */
export function checkAgainst(schema: z.ZodType, values: Values): FieldErrors {
  return fieldErrorsOf(schema.safeParse(values));
}
