/**
 * Reads HTML into a tree, as far as its words and their formats matter. The import runs in a browser and on a command line,
 * where there is no DOM. What is closed in the wrong order is closed as well as it can be; nothing of it is ever run.
 */
import type { RichNode } from './rich-text.ts';

interface Element extends RichNode {
  readonly childNodes: RichNode[];
}

const entities: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
  nbsp: ' ',
  ndash: '–',
  mdash: '—',
  hellip: '…',
  lsquo: '‘',
  rsquo: '’',
  ldquo: '“',
  rdquo: '”',
};

/** Characters for entities, such as `&amp;` and `&#8217;`. Unknown ones stay as typed. */
export const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|(\w{2,8}));/gi, (whole, decimal, hex, name: string = '') => {
    const code = decimal ? Number(decimal) : hex ? Number.parseInt(String(hex), 16) : undefined;
    if (code !== undefined) return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : '';
    return entities[name.toLowerCase()] ?? whole;
  });

const textNode = (text: string): RichNode => ({ nodeName: '#text', textContent: text, childNodes: [] });

function element(name: string, attributes: ReadonlyMap<string, string>): Element {
  const childNodes: RichNode[] = [];
  return {
    nodeName: name,
    childNodes,
    get textContent() {
      return childNodes.map(({ textContent }) => textContent ?? '').join('');
    },
    getAttribute: (attribute) => attributes.get(attribute) ?? null,
  };
}

const token =
  /<!--[\s\S]*?(?:-->|$)|<(script|style)\b[\s\S]*?(?:<\/\1\s*>|$)|<\/([a-z][\w:-]*)[^>]*>|<([a-z][\w:-]*)((?:\s+[^\s=>/]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>"']+))?)*)\s*\/?>|[^<]+|</gi;
const attribute = /([^\s=>/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+)))?/g;
const voids = /^(BR|HR|IMG|INPUT|META|LINK|WBR|SOURCE)$/;

/** The tree of an HTML text, below one node. */
export function parseHtml(html: string): RichNode {
  const root = element('BODY', new Map());
  const open: Element[] = [root];
  const current = () => open.at(-1) ?? root;
  for (const [whole, hidden, closed, opened, attributes = ''] of html.matchAll(token)) {
    if (hidden !== undefined || whole.startsWith('<!--')) continue;
    if (closed !== undefined) {
      const at = open.findLastIndex(({ nodeName }) => nodeName === closed.toUpperCase());
      if (at > 0) open.length = at;
    } else if (opened === undefined) current().childNodes.push(textNode(decodeEntities(whole)));
    else {
      const name = opened.toUpperCase();
      const found = Array.from(attributes.matchAll(attribute), ([, key = '', double, single, bare]) => [
        key.toLowerCase(),
        decodeEntities(double ?? single ?? bare ?? ''),
      ]);
      const made = element(name, new Map(found as [string, string][]));
      if (/^(P|LI|TR)$/.test(name) && current().nodeName === name) open.pop();
      current().childNodes.push(made);
      if (!voids.test(name) && open.length < 100) open.push(made);
    }
  }
  return root;
}
