/** The schemas for content records, derived from the fields in the registry. */
import * as z from 'zod';
import { storedValue, problemOf, requiredProblem } from './field-problems.ts';
import { mayBeEmpty, type Field, type Section } from './section.ts';

/** The schema for one field. Its output is the value to store. */
function fieldSchema(field: Field): z.ZodType<string> {
  const textWanted = `${field.label} must be text.`;
  return z
    .string({ error: (issue) => (issue.input === undefined ? requiredProblem(field) : textWanted) })
    .overwrite((typed) => storedValue(field, typed))
    .superRefine((value, context) => {
      const message = problemOf(field, value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });
}

type Values = Record<string, string>;

/** The body of an add call: all required fields, and any optional ones. */
export function addSchema(section: Section): z.ZodType<Values> {
  const shape = Object.entries(section.fields).map(([name, field]): [string, z.ZodType<string>] => {
    const missing = field.default ?? (mayBeEmpty(field) ? '' : undefined);
    return [name, missing === undefined ? fieldSchema(field) : fieldSchema(field).default(missing)];
  });
  return z.strictObject(Object.fromEntries(shape));
}

/** The body of an update call: any of the fields. Absent fields keep their values. */
export function updateSchema(section: Section): z.ZodType<Values> {
  const changing = Object.entries(section.fields).filter(([, { fixed }]) => !fixed);
  const shape = changing.map(([name, field]) => [name, fieldSchema(field).exactOptional()] as const);
  return z.strictObject(Object.fromEntries(shape));
}
