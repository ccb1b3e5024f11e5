/** Interprets a search: words, a phone number, an amount of money, or a Stripe id. */
import { normalizeEmail } from '#contract/account-rules.ts';

/** How many words of a search are used. */
const maxWords = 6;
const firstWords = new RegExp(`^(?:[^\\p{L}\\p{M}\\p{N}]*[\\p{L}\\p{M}\\p{N}]+){0,${maxWords}}`, 'u');

const takeFirstWords = (q: string): string => firstWords.exec(q)?.[0] ?? '';

/** The digits of a US phone number without the country code; undefined for other texts. */
export const phoneDigits = (q: string): string | undefined =>
  /^\+?1?(\d{10})$/.exec(q.replaceAll(/[\s().-]/g, ''))?.[1];

/**
 * Turns a search into an FTS5 query: word prefixes in any order. An email is one prefix, made of several consecutive
 * words. Phone numbers match in any format. https://www.sqlite.org/fts5.html#full_text_query_syntax
 */
export function fullTextQuery(q: string): string {
  const digits = phoneDigits(q);
  if (digits !== undefined) {
    const parts = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6)];
    return `"${digits}"* OR "1${digits}"* OR "${parts.join(' ')}"*`;
  }
  return takeFirstWords(q)
    .split(/\s+/)
    .map((part) => `"${normalizeEmail(part).replaceAll(/[^\p{L}\p{M}\p{N}]+/gu, ' ')}"*`)
    .join(' ');
}

/** The words of a search in lower case, without duplicates. The digits of a phone number count as one word. */
export const wordsOf = (q: string): readonly string[] => [
  ...new Set(
    phoneDigits(q) === undefined
      ? takeFirstWords(q).toLowerCase().split(/\s+/).filter(Boolean)
      : [phoneDigits(q) ?? ''],
  ),
];

/** Whether a search is a Stripe id, such as `pi_3Q…` or `re_3Q…`. */
export const isStripeId = (q: string): boolean => /^[a-z]{2,6}_\w{3,}$/.test(q);
