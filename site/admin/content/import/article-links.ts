/**
 * Points the links between imported articles to their new pages. Before, they pointed to files or to the former site.
 */
import { decodePercent } from '#contract/addresses.ts';

/** Fenced blocks and spans of code in Markdown, which must stay as they are. The pattern needs the flag `m`. */
export const code = '^(?:```|~~~)[\\s\\S]*?^(?:```|~~~)|`[^`\\n]*`';

/** Where an article was, and where it will be. */
interface MovedArticle {
  /** The name of its file. */
  readonly source: string;
  /** The URL of its page on the former site; empty for a file. */
  readonly formerUrl: string;
  /** Its path on this site. */
  readonly path: string;
}

/** A file's name without the part that a URL may leave out. */
const keyOf = (name: string): string => name.replace(/\.(md|markdown)$/i, '').toLowerCase();

/** The path that a relative URL in a file resolves to. */
function resolveFrom(file: string, address: string): string {
  const folders = file.split('/').slice(0, -1);
  for (const part of decodePercent(address).split('/'))
    if (part === '..') folders.pop();
    else if (part !== '.' && part !== '') folders.push(part);
  return folders.join('/');
}

const isRelative = (address: string): boolean => !/^(?:[a-z][a-z\d+.-]*:|[/#?])/i.test(address);

/** Code, or the definition of a reference: `[label]: url "Title"`. */
const definitions = new RegExp(
  `${code}|^ {0,3}\\[(?!\\^)([^\\]\\n]+)\\]:[ \\t]*<?([^\\s<>]+)>?(?:[ \\t]+(?:"[^"\\n]*"|'[^'\\n]*'))?[ \\t]*$\\n?`,
  'gm',
);

/** Code, an escaped character, or a use of a reference: `[words][label]`, `[label][]` or `[label]`. */
const references = new RegExp(
  `${code}|\\\\.|(!?)\\[((?:[^[\\]\\\\]|\\\\.)+)\\](?:\\[([^[\\]]*)\\])?(?![(:])`,
  'gm',
);

/** Replaces references to relative URLs with links that contain the URL. */
function withoutReferences(text: string): string {
  const addresses = new Map<string, string>();
  const body = text.replace(definitions, (whole, label?: string, address: string = '') => {
    if (label === undefined || !isRelative(address)) return whole;
    addresses.set(label.toLowerCase(), address);
    return '';
  });
  if (addresses.size === 0) return text;
  return body.replace(references, (whole, sign?: string, words: string = '', label?: string) => {
    const address = sign === undefined ? undefined : addresses.get((label || words).toLowerCase());
    return address === undefined ? whole : `${sign ?? ''}[${words}](${address})`;
  });
}

/** Code, an escaped character, or a link or picture with its text and URL. */
const codeOrLink = new RegExp(
  `${code}|\\\\.|(!?)\\[((?:[^[\\]\\\\]|\\\\.|!\\[[^[\\]]*\\]\\([^()\\s]*\\))*)\\]\\(\\s*<?([^\\s()<>]+)>?(?:\\s+"[^"]*")?\\s*\\)`,
  'gm',
);

/** Creates a function that finds the new path of a file by a URL in another file. */
function findFiles(articles: readonly MovedArticle[]): (from: string, address: string) => string | undefined {
  const byFile = new Map<string, string>();
  /**
   * Browsers do not provide a file's folder, so files are found by name alone; undefined if several files have the
   * name.
   */
  const byName = new Map<string, string | undefined>();
  for (const { source, path } of articles) {
    const key = keyOf(source);
    const name = key.replace(/^.*\//, '');
    byFile.set(key, path);
    byName.set(name, byName.has(name) ? undefined : path);
  }
  return (from, address) => {
    const key = keyOf(resolveFrom(from, address));
    return byFile.get(key) ?? byName.get(key.replace(/^.*\//, ''));
  };
}

/** A URL on the former site; undefined for other kinds of URLs, such as `mailto:`. */
function urlFrom(formerUrl: string, address: string): URL | undefined {
  try {
    const url = new URL(address, formerUrl);
    return url.protocol.startsWith('http') ? url : undefined;
  } catch {
    return undefined;
  }
}

/** The page of a URL. Former sites answered with and without a trailing slash, and on http and https. */
const pageOf = ({ host, pathname, search }: URL): string => `${host}${pathname.replace(/\/$/, '')}${search}`;

interface LinkedText {
  readonly text: string;
  /** The URLs that point to no imported file. Only the texts of their links are left. */
  readonly lost: readonly string[];
}

export function linkReplacer(
  articles: readonly MovedArticle[],
): (article: MovedArticle, text: string) => LinkedText {
  const findFile = findFiles(articles.filter(({ formerUrl }) => formerUrl === ''));
  const byPage = new Map<string, string>();
  for (const { formerUrl, path } of articles) {
    const url = formerUrl === '' ? undefined : urlFrom(formerUrl, '');
    if (url) byPage.set(pageOf(url), path);
  }

  /** The new URL of a link; undefined if there is no target. */
  function newAddress({ source, formerUrl }: MovedArticle, address: string): string | undefined {
    if (formerUrl !== '') {
      if (address.startsWith('#')) return address;
      const url = urlFrom(formerUrl, address);
      if (!url) return address;
      const path = byPage.get(pageOf(url));
      // A page that was not imported stays on the former site.
      return path === undefined ? url.href : `${path}${url.hash}`;
    }
    if (!isRelative(address)) return address;
    const [, route = '', rest = ''] = /^([^?#]*)(.*)$/.exec(address) ?? [];
    const path = findFile(source, route);
    return path === undefined ? undefined : `${path}${rest}`;
  }

  return (article, text) => {
    const lost = new Set<string>();
    const inline = article.formerUrl === '' ? withoutReferences(text) : text;
    const replaced = inline.replace(
      codeOrLink,
      (whole, sign?: string, words?: string, address: string = '') => {
        if (sign !== '' || words === undefined) return whole;
        const moved = newAddress(article, address);
        if (moved === address) return whole;
        if (moved !== undefined) return `[${words}](${moved})`;
        lost.add(address);
        return words;
      },
    );
    return { text: replaced, lost: [...lost] };
  };
}
