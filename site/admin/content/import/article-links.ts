/** Replaces the links between imported Markdown files by links to their articles. */
import { decodePercent } from '#contract/addresses.ts';

/** A file's name without the part that an address may leave out. */
const keyOf = (name: string): string => name.replace(/\.(md|markdown)$/i, '').toLowerCase();

/** The path to which a relative address in a file leads. */
function resolveFrom(file: string, address: string): string {
  const folders = file.split('/').slice(0, -1);
  for (const part of decodePercent(address).split('/'))
    if (part === '..') folders.pop();
    else if (part !== '.' && part !== '') folders.push(part);
  return folders.join('/');
}

/** Code, whose links stay as typed, or a link with its text and address. A sign before it makes it something else. */
const codeOrLink =
  /^(?:```|~~~)[\s\S]*?^(?:```|~~~)|`[^`\n]*`|([!\\]?)\[((?:[^[\]\\]|\\.|!\[[^[\]]*\]\([^()\s]*\))*)\]\(\s*<?([^\s()<>]+)>?(?:\s+"[^"]*")?\s*\)/gm;

/** Whether an address is a path relative to its file. */
const isRelative = (address: string): boolean => !/^(?:[a-z][a-z\d+.-]*:|[/#?])/i.test(address);

export interface FileLinks {
  readonly text: string;
  /** The addresses that lead to no imported file. Only the texts of their links are left. */
  readonly lost: readonly string[];
}

/**
 * Returns a function that replaces the relative links in the text of a file.
 * @param paths the paths of the articles on the site by the names of their files
 */
export function linkReplacer(paths: ReadonlyMap<string, string>): (file: string, text: string) => FileLinks {
  const byFile = new Map<string, string>();
  /** By the name alone, because browsers do not tell the folder of a file; undefined if several files have it. */
  const byName = new Map<string, string | undefined>();
  for (const [file, path] of paths) {
    const key = keyOf(file);
    const name = key.replace(/^.*\//, '');
    byFile.set(key, path);
    byName.set(name, byName.has(name) ? undefined : path);
  }
  return (file, text) => {
    const lost = new Set<string>();
    const replaced = text.replace(
      codeOrLink,
      (whole, sign?: string, words?: string, address: string = '') => {
        if (sign !== '' || words === undefined || !isRelative(address)) return whole;
        const [, route = '', rest = ''] = /^([^?#]*)(.*)$/.exec(address) ?? [];
        const key = keyOf(resolveFrom(file, route));
        const path = byFile.get(key) ?? byName.get(key.replace(/^.*\//, ''));
        if (path !== undefined) return `[${words}](${path}${rest})`;
        lost.add(address);
        return words;
      },
    );
    return { text: replaced, lost: [...lost] };
  };
}
