/** The schemas of content records, derived from what the registry says of each field. */
import * as z from 'zod';
import { keptValue, problemOf, requiredProblem } from './field-problems.ts';
import { mayBeEmpty, type Field, type Section } from './section.ts';

/** The check of one field: a text as it is kept, with which nothing is wrong. */
function fieldSchema(field: Field): z.ZodType<string> {
  const textWanted = `${field.label} must be text.`;
  return z
    .string({ error: (issue) => (issue.input === undefined ? requiredProblem(field) : textWanted) })
    .overwrite((typed) => keptValue(field, typed))
    .superRefine((value, context) => {
      const message = problemOf(field, value);
      if (message !== undefined) context.addIssue({ code: 'custom', message });
    });
}

type Values = Record<string, string>;

/** What an add call may send: every field that must be filled, and those that may be empty. Nothing else. */
export function addSchema(section: Section): z.ZodType<Values> {
  const shape = Object.entries(section.fields).map(([name, field]): [string, z.ZodType<string>] => [
    name,
    field.default === undefined
      ? mayBeEmpty(field)
        ? fieldSchema(field).default('')
        : fieldSchema(field)
      : fieldSchema(field).default(field.default),
  ]);
  return z.strictObject(Object.fromEntries(shape));
}

/** What an update may send: any of the fields; one that is absent keeps its value. */
export function updateSchema(section: Section): z.ZodType<Partial<Values>> {
  const changing = Object.entries(section.fields).filter(([, { fixed }]) => !fixed);
  const shape = changing.map(([name, field]): [string, z.ZodType<string | undefined>] => [
    name,
    fieldSchema(field).optional(),
  ]);
  return z.strictObject(Object.fromEntries(shape));
}
