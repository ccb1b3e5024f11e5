/** Reads the front matter at the top of a Markdown file: YAML between two lines of hyphens. */
import { parse } from 'yaml';

/** At most 10,000 characters, because parsing YAML may take quadratic time. Longer front matter counts as text. */
const frontMatter = /^\uFEFF?---\r?\n([\s\S]{0,10000}?)\r?\n---\r?\n?/;

const wordsOf = (value: unknown): string =>
  [value]
    .flat()
    .filter((part) => typeof part === 'string')
    .map((part) => part.trim())
    .join(', ');

/** Returns the fields by their lowercase names, and the text below them. @throws Error if they are not valid YAML */
export function readFrontMatter(text: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const [whole = '', head = ''] = frontMatter.exec(text) ?? [];
  // In this schema, every value is a string, so 1.10 stays 1.10. Checking for unique keys takes too long. The line
  // break replaces the line `---`, so that errors name the correct line of the file.
  const read: unknown = parse(`\n${head}`, { schema: 'failsafe', uniqueKeys: false, logLevel: 'error' });
  const entries = typeof read === 'object' && read !== null ? Object.entries(read) : [];
  return {
    fields: new Map(entries.map(([name, value]) => [name.toLowerCase(), wordsOf(value)])),
    body: text.slice(whole.length).trim(),
  };
}
