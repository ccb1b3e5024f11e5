/** The check that the server makes, made before it is asked, so that an error stands beside its field at once. */
import type { FieldErrors } from '#contract/problem.ts';
import { keptValue, problemOf } from '#contract/field-problems.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { toSent, type Values } from '../content-calls.ts';

/** What is wrong with each field that does not hold; empty when all hold. */
export function checkValues(name: SectionName, values: Values): FieldErrors {
  const { fields } = sectionNamed(name);
  return Object.fromEntries(
    Object.entries(toSent(name, values)).flatMap(([field, value]) => {
      const definition = fields[field];
      const problem = definition && problemOf(definition, keptValue(definition, value));
      return problem === undefined ? [] : [[field, problem]];
    }),
  );
}
