/**
 * Validates the value of a content field against its definition in the registry. Both the forms and the server use it.
 */
import { ruleOf } from './field-kinds.ts';
import { maxLengthOf, mayBeEmpty, type Field } from './section.ts';

/**
 * NUL and other control characters except tab and line breaks. They have no meaning in text, and some programs fail on
 * them.
 */
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/;

/** A surrogate without its other half. Firefox before 119 has no `isWellFormed`. */
const loneSurrogate = /\p{Surrogate}/u;

/** Replaces lone surrogates, which make `encodeURIComponent` and databases fail. */
export const wellFormed = (text: string): string =>
  text.replaceAll(new RegExp(loneSurrogate, 'gu'), '\uFFFD');

/**
 * Invisible characters: zero-width spaces and joiners, which people paste without noticing, and directional embeddings,
 * overrides and isolates, which can reverse the rest of their line (https://trojansource.codes).
 */
const formatCharacter = /[\u200b\u2060\ufeff\u202a-\u202e\u2066-\u2069]/g;

/**
 * Removes control, zero-width and directional characters, and replaces lone surrogates, because databases truncate or
 * change such text. A line break becomes one character: browsers count it as one, but plain forms send two. Vertical
 * tabs and form feeds become line breaks.
 */
export const withoutHidden = (text: string): string =>
  wellFormed(text)
    .replaceAll(/\r\n?|[\v\f]/g, '\n')
    .replaceAll(new RegExp(controlCharacter, 'g'), '')
    .replaceAll(formatCharacter, '');

/** Invisible characters: zero-width characters, soft hyphens and directional marks. */
const invisible = /[\u00ad\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufeff]/g;

/**
 * The value to store: trimmed, and with each line break as one character. Values other than text, such as addresses,
 * prices and numbers, also lose invisible characters that were pasted with them. So does a text that consists only of
 * invisible characters, because it is blank.
 */
export function storedValue(field: Field, typed: string): string {
  const text = typed.replaceAll(/\r\n?/g, '\n');
  const visible = text.replaceAll(invisible, '').trim();
  return ruleOf(field).isText && visible !== '' ? text.trim() : visible;
}

const hasHiddenCharacter = (text: string): boolean => controlCharacter.test(text) || loneSurrogate.test(text);

export const requiredProblem = ({ label }: Field): string => `${label} is required.`;

/**
 * A sentence that says what is wrong with a value: it is missing, is too long, cannot be shown, or does not fit its
 * kind.
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
  return ruleOf(field).problem?.(value, field);
}
