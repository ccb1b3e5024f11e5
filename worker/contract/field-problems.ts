/** Validates the value of a content field by its definition in the registry. Forms and the server both use it. */
import { isPath, isSafeAddress, slugPattern } from './addresses.ts';
import { accentProblem } from './colors.ts';
import { isDay } from './days.ts';
import { markdownProblem } from './markdown-budget.ts';
import { minPriceCents, parsePriceCents } from './money.ts';
import { packageNames } from './orders.ts';
import { maxLengthOf, mayBeEmpty, type Field, type FieldKind } from './section.ts';
import { tagsProblem } from './tags.ts';

/**
 * NUL and other control characters except tab and line breaks. They have no meaning in text, and some programs fail
 * on them.
 */
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A surrogate without its other half. Firefox before 119 has no `isWellFormed`. */
const loneSurrogate = /\p{Surrogate}/u;

/** Replaces lone surrogates, which make `encodeURIComponent` and databases fail. */
export const wellFormed = (text: string): string =>
  text.replaceAll(new RegExp(loneSurrogate, 'gu'), '\uFFFD');

/**
 * Characters that show nothing: zero-width spaces and joiners, which people paste without noticing, and directional
 * embeddings, overrides and isolates, which can reverse the rest of the line they are in (https://trojansource.codes).
 */
const formatCharacter = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes control, zero-width and directional characters, and replaces lone surrogates: databases truncate or change
 * such text. A line break becomes one character, because browsers count it as one, although plain forms send two.
 * Vertical tabs and form feeds become line breaks.
 */
export const withoutHidden = (text: string): string =>
  wellFormed(text)
    .replaceAll(/\r\n?|[\v\f]/g, '\n')
    .replaceAll(new RegExp(controlCharacter, 'g'), '')
    .replaceAll(formatCharacter, '');

/** Kinds of text that keep their invisible characters: in some scripts a zero-width space has a meaning. */
const textKinds: readonly (FieldKind | undefined)[] = [undefined, 'line', 'text', 'markdown'];

/** Invisible characters: zero-width characters, soft hyphens and directional marks. */
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * The value to store: trimmed, and with each line break as one character. Values other than text, such as
 * addresses, prices and numbers, also lose the invisible characters that were pasted with them.
 */
export function storedValue({ kind }: Field, typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n');
  return (textKinds.includes(kind) ? text : text.replaceAll(invisible, '')).trim();
}

const hasHiddenCharacter = (text: string): boolean => controlCharacter.test(text) || loneSurrogate.test(text);

const knownPackages: readonly string[] = packageNames;

export const linkRule =
  'Use a web address (https://…), a path on this site (/…), mailto:, tel: or a # anchor.';

const sentences = {
  link: linkRule,
  image: 'Use a picture address that begins with https:// or a path on this site (/…).',
  path: 'Use a path on this site that begins with one slash, without #, such as /old-page or /?p=12.',
  price:
    'Use a price from 0.50 to 999999.99 with at most two decimals, such as 499 or 499.50. A card cannot be charged less.',
  days: 'Use a whole number of days from 0 to 365.',
  day: 'Use a day such as 2027-04-09: year, month, day.',
  slug: 'Use lowercase letters, digits and single hyphens, such as how-borrowers-search.',
  packages: `Use names of packages, separated by commas: ${packageNames.join(', ')}.`,
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
    case 'day':
      return isDay(value) ? undefined : sentences.day;
    case 'slug':
      return slugPattern.test(value) ? undefined : sentences.slug;
    case 'packages':
      return value.split(',').every((name) => knownPackages.includes(name.trim()))
        ? undefined
        : sentences.packages;
    case 'tags':
      return tagsProblem(value);
    case 'markdown': {
      const problem = markdownProblem(value);
      return problem === undefined ? undefined : `${field.label} ${problem}`;
    }
    case 'color':
      return accentProblem(value);
    case 'choice':
      return field.options?.includes(value) ? undefined : `Choose one of ${field.options?.join(', ') ?? ''}.`;
    default:
      return undefined;
  }
}

export const requiredProblem = ({ label }: Field): string => `${label} is required.`;

/**
 * A sentence that says what is wrong with a value: it is missing, too long, cannot be shown, or does not fit its kind.
 * @param value the trimmed value
 * @returns undefined if the value is valid
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
