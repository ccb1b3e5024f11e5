/**
 * Converts rich text that Google Docs, Word or browsers put on the clipboard to Markdown. Drops formatting that
 * Markdown cannot express, such as colors, and keeps the text.
 */
import { decodePercent } from './addresses.ts';

/** The parts of a node that we read. Browser elements have them, and so do the plain objects in tests. */
export interface RichNode {
  readonly nodeName: string;
  readonly textContent: string | null;
  readonly childNodes: ArrayLike<RichNode>;
  readonly getAttribute?: (name: string) => string | null;
}

const childrenOf = (node: RichNode): readonly RichNode[] => Array.from(node.childNodes);
const attributeOf = (node: RichNode, name: string): string => node.getAttribute?.(name) ?? '';

/** Escapes the characters that have a meaning in Markdown. */
const escape = (text: string) => text.replace(/[\\`*_[\]<>|]/g, '\\$&');

/** Puts a Markdown marker around text. White space at its ends stays outside, as Markdown requires. */
function around(sign: string, inside: string): string {
  const [, before = '', words = '', after = ''] = /^(\s*)([\s\S]*?)(\s*)$/.exec(inside) ?? [];
  return words === '' ? inside : `${before}${sign}${words}${sign}${after}`;
}

const isBold = (node: RichNode): boolean => {
  const style = attributeOf(node, 'style');
  // Google Docs wraps everything in a <b> with normal weight.
  if (/font-weight:\s*(normal|400)/.test(style)) return false;
  return /^(B|STRONG)$/.test(node.nodeName) || /font-weight:\s*(bold|[6-9]00)/.test(style);
};
const isItalic = (node: RichNode): boolean => {
  const style = attributeOf(node, 'style');
  if (/font-style:\s*normal/.test(style)) return false;
  return /^(I|EM)$/.test(node.nodeName) || /font-style:\s*italic/.test(style);
};

/** Google Docs replaces links with redirects through google.com. */
function addressOf(node: RichNode): string {
  const href = attributeOf(node, 'href');
  const redirected = /^https:\/\/www\.google\.com\/url\?(?:.*&)?q=([^&]*)/.exec(href)?.[1];
  return (redirected === undefined ? href : decodePercent(redirected)).replace(/[\s()]/g, encodeURIComponent);
}

const pictureOf = (node: RichNode): string => {
  const src = attributeOf(node, 'src').replace(/[\s()]/g, encodeURIComponent);
  return src === '' ? '' : `![${escape(attributeOf(node, 'alt'))}](${src})`;
};

/** The text of a node, in one line. */
function inline(node: RichNode): string {
  const { nodeName: name } = node;
  if (name === '#text') return escape((node.textContent ?? '').replace(/[\s\u00a0]+/g, ' '));
  if (name === 'BR') return '\n';
  if (name === 'IMG') return pictureOf(node);
  // Word writes a list's bullets as text.
  if (
    /^(#comment|STYLE|SCRIPT|META|HEAD|TITLE)$/.test(name) ||
    /mso-list:\s*ignore/i.test(attributeOf(node, 'style'))
  )
    return '';
  if (name === 'CODE') return around('`', (node.textContent ?? '').replaceAll('`', "'"));
  const inside = childrenOf(node).map(inline).join('');
  if (name === 'A' && /^(https?:|mailto:|tel:|\/|#)/i.test(addressOf(node)) && inside.trim() !== '')
    return `[${inside.trim()}](${addressOf(node)})`;
  const slanted = isItalic(node) ? around('*', inside) : inside;
  return isBold(node) ? around('**', slanted) : slanted;
}

const trimLines = (text: string): string =>
  text
    .replace(/[ \t]*\n[ \t]*/g, '\n')
    .replace(/ {2,}/g, ' ')
    .trim();

const lineOf = (node: RichNode): string => trimLines(inline(node));

/** Starts of headings, lists, lines and code in Markdown. */
const blockStart = /^(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|[-+](?:\s|$)|-+$|=+$|~{3}))/gm;

/** A paragraph of text with its formats. A line that begins like another block stays text. */
const paragraph = (nodes: readonly RichNode[]): string =>
  trimLines(nodes.map(inline).join('')).replace(blockStart, '$1\\');

const indent = (text: string, by: string): string => text.replace(/\n(?=.)/g, `\n${by}`);

function listItem(item: RichNode, mark: string): string {
  const blocks = blocksOf(item);
  return mark + indent(blocks.join('\n'), ' '.repeat(mark.length));
}

function list(node: RichNode): string {
  let count = 0;
  return childrenOf(node)
    .flatMap((child) => {
      if (child.nodeName === 'LI') {
        count += 1;
        return [listItem(child, node.nodeName === 'OL' ? `${String(count)}. ` : '- ')];
      }
      // Google Docs puts a nested list next to its item, not inside it.
      return /^[OU]L$/.test(child.nodeName) ? [indent(`  ${list(child)}`, '  ')] : [];
    })
    .join('\n');
}

function rowsOf(node: RichNode): RichNode[] {
  return childrenOf(node).flatMap((child) => (child.nodeName === 'TR' ? [child] : rowsOf(child)));
}

function table(node: RichNode): string {
  const rows = rowsOf(node).map((row) =>
    childrenOf(row)
      .filter(({ nodeName }) => /^T[DH]$/.test(nodeName))
      .map((cell) => lineOf(cell).replaceAll('\n', ' ')),
  );
  const width = Math.max(0, ...rows.map((row) => row.length));
  const line = (cells: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, index) => cells[index] ?? '').join(' | ')} |`;
  const [head = [], ...body] = rows;
  return width === 0
    ? ''
    : [line(head), line(Array.from({ length: width }, () => '---')), ...body.map(line)].join('\n');
}

/** A list item from Word: a paragraph with the level in its style. */
function wordItem(node: RichNode): string | undefined {
  const level = /mso-list:[^;]*\blevel(\d)/i.exec(attributeOf(node, 'style'))?.[1];
  if (level === undefined) return undefined;
  const isNumbered = /^\s*\(?(\d+|[a-z])[.)]/i.test(node.textContent ?? '');
  return `${'  '.repeat(Number(level) - 1)}${isNumbered ? '1. ' : '- '}${paragraph([node])}`;
}

const blockNames =
  /^(P|DIV|H[1-6]|UL|OL|TABLE|PRE|BLOCKQUOTE|HR|SECTION|ARTICLE|BODY|HTML|MAIN|CENTER|TBODY)$/;
const isBlock = ({ nodeName }: RichNode) => blockNames.test(nodeName);
const hasBlocks = (node: RichNode): boolean =>
  childrenOf(node).some((child) => isBlock(child) || hasBlocks(child));

function blockOf(node: RichNode): readonly string[] {
  const { nodeName: name } = node;
  const level = /^H([1-6])$/.exec(name)?.[1];
  // The page already has its only main heading.
  if (level !== undefined)
    return [`${'#'.repeat(Math.max(2, Number(level)))} ${lineOf(node).replace(/\*\*/g, '')}`];
  if (/^[OU]L$/.test(name)) return [list(node)];
  if (name === 'TABLE') return [table(node)];
  if (name === 'HR') return ['---'];
  if (name === 'PRE') return [`\`\`\`\n${(node.textContent ?? '').replace(/\n$/, '')}\n\`\`\``];
  if (name === 'BLOCKQUOTE') return [`> ${blocksOf(node).join('\n\n').replaceAll('\n', '\n> ')}`];
  const item = wordItem(node);
  if (item !== undefined) return [item];
  return hasBlocks(node) ? blocksOf(node) : [paragraph([node])];
}

/** The blocks of a node. Text between blocks becomes a paragraph. */
function blocksOf(node: RichNode): readonly string[] {
  const blocks: string[] = [];
  let words: RichNode[] = [];
  const endParagraph = () => {
    const line = paragraph(words);
    if (line !== '') blocks.push(line);
    words = [];
  };
  for (const child of childrenOf(node))
    if (isBlock(child) || hasBlocks(child)) {
      endParagraph();
      blocks.push(...blockOf(child));
    } else words.push(child);
  endParagraph();
  return blocks.filter((block) => block.trim() !== '' && !/^#+ $/.test(block));
}

const isItem = (block: string | undefined) => /^ *(?:- |1\. )/.test(block ?? '');

export function markdownFrom(body: RichNode): string {
  const blocks = blocksOf(body);
  return blocks
    .map((block, index) => {
      if (index === 0) return block;
      return `${isItem(block) && isItem(blocks[index - 1]) ? '\n' : '\n\n'}${block}`;
    })
    .join('');
}

/** Whether the HTML has formatting that would be lost as plain text, or paragraphs, which may look like Markdown. */
export const isRich = (html: string): boolean =>
  /<(p[\s>]|h[1-6]|ul|ol|table|a\s|b\b|strong|i\b|em\b|blockquote|pre)|font-weight:\s*(bold|[6-9]00)|font-style:\s*italic|mso-list/i.test(
    html,
  );

const externalPicture =
  /!\[((?:[^[\]\\]|\\.)*)\]\(\s*<?((?:https?:)?\/\/[^\s)>]+|[^\s)>/][^\s)>]*)>?(?:\s+"[^"]*")?\s*\)/g;

/** The addresses of the pictures in a text that are not in the library. */
export const picturesIn = (text: string): readonly string[] => [
  ...new Set(Array.from(text.matchAll(externalPicture), ([, , address = '']) => address)),
];

/**
 * Replaces the pictures in a text.
 * @param paths the library paths by address; a picture without a path is removed
 */
export const withPictures = (text: string, paths: ReadonlyMap<string, string>): string =>
  text
    .replace(externalPicture, (_whole, alt: string, address: string) => {
      const path = paths.get(address);
      return path === undefined ? '' : `![${alt}](${path})`;
    })
    .replace(/\n{3,}/g, '\n\n')
    .trim();
