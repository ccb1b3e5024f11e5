/** What is wrong with the value of a content field, by its definition in the registry; form and server use it. */
import { isPath, isSafeAddress } from './addresses.ts';
import { markdownProblem } from './markdown-budget.ts';
import { minPriceCents, parsePriceCents } from './money.ts';
import { packageNames } from './orders.ts';
import { maxLengthOf, mayBeEmpty, type Field, type FieldKind } from './section.ts';

/** NUL and other control characters except tab and line breaks: they have no meaning, and some programs fail on them. */
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** Half of a pair that makes one character, without the other half: Firefox before 119 has no `isWellFormed`. */
const loneHalf = /\p{Surrogate}/u;

/** A text without such halves, on which `encodeURIComponent` and databases fail. */
export const wellFormed = (text: string): string => text.replaceAll(new RegExp(loneHalf, 'gu'), '\uFFFD');

/** Spaces and joiners without width, which come along when people paste. */
const withoutWidth = /[\u200b\u2060\ufeff]/g;

/**
 * A text without unprintable characters and lone surrogates, which databases truncate or change, and without characters
 * that have no width. A line break is one character, as browsers count it, although plain forms send two; vertical tabs and
 * form feeds become line breaks.
 */
export const withoutHidden = (text: string): string =>
  wellFormed(text)
    .replaceAll(/\r\n?|[\v\f]/g, '\n')
    .replaceAll(new RegExp(controlCharacter, 'g'), '')
    .replaceAll(withoutWidth, '');

/** Texts that are kept exactly as typed: in some scripts a space without width has a meaning. */
const keptExactly: readonly (FieldKind | undefined)[] = [undefined, 'line', 'text', 'markdown'];

/** Characters that nobody sees: those without width, soft hyphens, and marks of direction. */
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * A value as it is kept: without space around it, with line breaks of one character, and, where it is an address, a price or
 * a number, without invisible characters that were pasted with it.
 */
export function keptValue({ kind }: Field, typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n');
  return (keptExactly.includes(kind) ? text : text.replaceAll(invisible, '')).trim();
}

/** Whether a text contains an unprintable character or a lone surrogate. */
const hasHiddenCharacter = (text: string): boolean => controlCharacter.test(text) || loneHalf.test(text);

const knownPackages: readonly string[] = packageNames;

const sentences = {
  link: 'Use a web address (https://…), a path on this site (/…), mailto:, tel: or a # anchor.',
  image: 'Use an image address that begins with https:// or a path on this site (/…).',
  path: 'Use a path on this site that begins with one slash, without #, such as /old-page or /?p=12.',
  price:
    'Use a price from 0.50 to 999999.99 with at most two decimals, such as 499 or 499.50. A card cannot be charged less.',
  days: 'Use a whole number of days from 0 to 365.',
  packages: `Use names of packages with commas between: ${packageNames.join(', ')}.`,
} as const;

function kindProblemOf(field: Field, value: string): string | undefined {
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
    case 'markdown': {
      const problem = markdownProblem(value);
      return problem === undefined ? undefined : `${field.label} ${problem}`;
    }
    case 'choice':
      return field.options?.includes(value) ? undefined : `Choose one of ${field.options?.join(', ') ?? ''}.`;
    default:
      return undefined;
  }
}

export const requiredProblem = ({ label }: Field): string => `${label} is required.`;

/**
 * What is wrong with a value, in a sentence: it is missing, too long, cannot be shown, or is not of its kind.
 * @param value without space around it
 */
export function problemOf(field: Field, value: string): string | undefined {
  const { label } = field;
  if (value === '') return mayBeEmpty(field) ? undefined : requiredProblem(field);
  if (Array.from(value).length > maxLengthOf(field))
    return `${label} is too long: at most ${maxLengthOf(field).toLocaleString('en-US')} characters.`;
  if (hasHiddenCharacter(value))
    return `${label} contains a character that cannot be shown. Please remove it.`;
  return kindProblemOf(field, value);
}
