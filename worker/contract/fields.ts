/** Validation of content fields, derived from what the registry says of each; the same for form and server. */
import * as z from 'zod';
import { isPath, isSafeAddress } from './addresses.ts';
import { minPriceCents, parsePriceCents } from './money.ts';
import { packageNames } from './orders.ts';
import { maxLengthOf, mayBeEmpty, type Field, type Section } from './section.ts';

// NUL and other control characters, save tab and line breaks, mean nothing to a reader and break some of them.

const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/**
 * A text without characters that cannot be shown and halves of one, which databases cut texts at or change. Lines that
 * end as in other programs end as here.
 */
export const withoutHidden = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(/[\v\f]/g, '\n')
    .replaceAll(new RegExp(controlCharacter, 'g'), '');

/** Whether a text contains a character that cannot be shown, or half of one. */
export const hasHiddenCharacter = (text: string): boolean =>
  controlCharacter.test(text) || !text.isWellFormed();

const knownPackages: readonly string[] = packageNames;

const sentences = {
  link: 'Use a web address (https://…), a path on this site (/…), mailto:, tel: or a # anchor.',
  image: 'Use an image address that begins with https:// or a path on this site (/…).',
  path: 'Use a path on this site that begins with one slash, without ? and #, such as /old-page.',
  price:
    'Use a price from 0.50 to 999999.99 with at most two decimals, such as 499 or 499.50. A card cannot be charged less.',
  days: 'Use a whole number of days from 0 to 365.',
  packages: `Use names of packages with commas between: ${packageNames.join(', ')}.`,
} as const;

function problemOf(field: Field, value: string): string | undefined {
  switch (field.kind) {
    case 'link':
    case 'image':
      return isSafeAddress(value, field.kind) ? undefined : sentences[field.kind];
    case 'path':
      return isPath(value) ? undefined : sentences.path;
    case 'price':
      return (parsePriceCents(value) ?? 0) < minPriceCents ? sentences.price : undefined;
    case 'days':
      return /^\d{1,3}$/.test(value) && Number(value) <= 365 ? undefined : sentences.days;
    case 'packages':
      return value.split(',').every((name) => knownPackages.includes(name.trim()))
        ? undefined
        : sentences.packages;
    case 'choice':
      return field.options?.includes(value) ? undefined : `Choose one of ${field.options?.join(', ') ?? ''}.`;
    default:
      return undefined;
  }
}

/** The check of one field: trimmed, present unless it may be empty, not too long, and of its kind. */
function fieldSchema(field: Field): z.ZodType<string> {
  const required = `${field.label} is required.`;
  return z
    .string({ error: (issue) => (issue.input === undefined ? required : `${field.label} must be text.`) })
    .trim()
    .superRefine((value, context) => {
      const report = (message: string) => context.addIssue({ code: 'custom', message });
      if (value === '') {
        if (!mayBeEmpty(field)) report(required);
      } else if (Array.from(value).length > maxLengthOf(field))
        report(
          `${field.label} is too long: at most ${maxLengthOf(field).toLocaleString('en-US')} characters.`,
        );
      else if (hasHiddenCharacter(value))
        report(`${field.label} contains a character that cannot be shown. Please remove it.`);
      else {
        const problem = problemOf(field, value);
        if (problem) report(problem);
      }
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
