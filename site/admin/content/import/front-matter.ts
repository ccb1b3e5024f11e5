/** Reads the front matter at the top of a Markdown file, which is YAML between two lines of hyphens. */
import { parse } from 'yaml';

/**
 * The front matter and its lines of hyphens. The time to read YAML may grow with the square of its length, so what is
 * longer than 10,000 characters is text.
 */
const frontMatter = /^\uFEFF?---\r?\n([\s\S]{0,10000}?)\r?\n---\r?\n?/;

/** Words of one value, or of a list of them. */
const wordsOf = (value: unknown): string =>
  [value]
    .flat()
    .filter((part) => typeof part === 'string')
    .map((part) => part.trim())
    .join(', ');

/**
 * The fields of a file by their names in small letters, and the text below them.
 * @throws Error for front matter that is no YAML
 */
export function readFrontMatter(text: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const [whole = '', head = ''] = frontMatter.exec(text) ?? [];
  // In this schema every value is text, so that 1.10 stays 1.10. To compare all keys with each other takes too long.
  const read: unknown = parse(head, { schema: 'failsafe', uniqueKeys: false, logLevel: 'error' });
  const entries = typeof read === 'object' && read !== null ? Object.entries(read) : [];
  return {
    fields: new Map(entries.map(([name, value]) => [name.toLowerCase(), wordsOf(value)])),
    body: text.slice(whole.length).trim(),
  };
}
