/** Runs the server's validation in the browser, so that errors appear next to their fields immediately. */
import type { FieldErrors } from '#contract/problem.ts';
import { storedValue, problemOf } from '#contract/field-problems.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { toSent, type Values } from '../content-calls.ts';

/** Returns the error of each invalid field; empty if all are valid. */
export function checkValues(name: SectionName, values: Values): FieldErrors {
  const { fields } = sectionNamed(name);
  return Object.fromEntries(
    Object.entries(toSent(name, values)).flatMap(([field, value]) => {
      const definition = fields[field];
      const problem = definition && problemOf(definition, storedValue(definition, value));
      return problem === undefined ? [] : [[field, problem]];
    }),
  );
}
