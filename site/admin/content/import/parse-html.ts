/** Parses HTML into a tree of texts and their formats. Also works on the command line, which has no DOM. */
import { Parser } from 'htmlparser2';
import type { RichNode } from '#contract/rich-text.ts';

interface Element extends RichNode {
  readonly childNodes: RichNode[];
}

/** Deeper elements are dropped, and their text is added to the element above. */
const maxDepth = 100;

const textNode = (text: string): RichNode => ({ nodeName: '#text', textContent: text, childNodes: [] });

function element(name: string, attributes: Readonly<Record<string, string>>): Element {
  const childNodes: RichNode[] = [];
  return {
    nodeName: name.toUpperCase(),
    childNodes,
    get textContent() {
      return childNodes.map(({ textContent }) => textContent ?? '').join('');
    },
    getAttribute: (attribute) => attributes[attribute] ?? null,
  };
}

export function parseHtml(html: string): RichNode {
  const root = element('body', {});
  const open = [root];
  const add = (node: RichNode) => open[Math.min(open.length, maxDepth) - 1]?.childNodes.push(node);
  let words = '';
  const endWords = () => {
    if (words !== '') add(textNode(words));
    words = '';
  };
  const parser = new Parser({
    onopentag(name, attributes) {
      endWords();
      const made = element(name, attributes);
      if (open.length < maxDepth) add(made);
      open.push(made);
    },
    ontext(part) {
      words += part;
    },
    onclosetag() {
      endWords();
      open.pop();
    },
  });
  parser.end(html);
  endWords();
  return root;
}
