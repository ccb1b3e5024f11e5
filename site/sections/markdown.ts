/**
 * CommonMark as HTML, for the long texts of the site. What the reader wrote as HTML shows as typed, images stay text, and
 * a link keeps its address only where the product's own rule lets it, so the result may stand in a page as it is.
 */
import { micromark } from 'micromark';
import { isSafeAddress } from '#contract/addresses.ts';
import { markdownProblem } from '#contract/markdown-budget.ts';

/** Without HTML and images. https://github.com/micromark/micromark#extensions */
const textAndLinks = { disable: { null: ['htmlFlow', 'htmlText', 'labelStartImage'] } };

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const characters = Object.fromEntries(Object.entries(entities).map(([entity, sign]) => [sign, entity]));
const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity);

/** A text as typed, one paragraph for each of its own. */
const asTyped = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.replace(/[&<>"]/g, (sign) => characters[sign] ?? sign)}</p>`)
    .join('\n');

/** Characters without width, as the compiler writes them in an address: nobody sees them, and they lead nowhere. */
const withoutWidth = /%E2%80%8B|%E2%81%A0|%EF%BB%BF/g;

/** Ids of the frame around a text. */
const takenIds = ['main', 'menu', 'subscribed'];

/** Headings with ids made from their words, so that a link may lead to each. */
function withIds(html: string): string {
  const taken = new Map(takenIds.map((id) => [id, 1]));
  return html.replace(/<(h[2-6])>(.*?)<\/h/gs, (_whole, tag: string, inside: string) => {
    const words = decode(inside.replace(/<[^>]*>/g, ''))
      .normalize('NFKD')
      .replace(/\p{M}/gu, '')
      .toLowerCase();
    const name = words.match(/[\p{L}\p{N}]+/gu)?.join('-') ?? 'section';
    const count = (taken.get(name) ?? 0) + 1;
    taken.set(name, count);
    return `<${tag} id="${count === 1 ? name : `${name}-${count}`}">${inside}</h`;
  });
}

/**
 * The HTML of a text. One that is more than the parser can be asked for shows as typed: it is refused when saved, but
 * may be in a form. The page around it has the one main heading, so a first-level heading becomes one of the second.
 * In what the compiler writes `<` and `"` stand for themselves in tags only, which is what the replacements rely on.
 */
export function renderMarkdown(text: string): string {
  if (markdownProblem(text) !== undefined) return asTyped(text);
  // The compiler's own list of protocols knows no `tel:`; ours, below, is the one that decides.
  const html = micromark(text, { extensions: [textAndLinks], allowDangerousProtocol: true });
  return withIds(
    html
      .replace(/<a href="([^"]*)"/g, (_tag, written: string) => {
        const address = written.replace(withoutWidth, '');
        return isSafeAddress(decode(address), 'link') ? `<a href="${address}"` : '<a';
      })
      .replace(/<(\/?)h1>/g, '<$1h2>'),
  );
}

/** Characters of a description that search engines show. */
const shownLength = 155;

/** The HTML of the first paragraph that stands in no list and no quotation; empty where there is none. */
function firstParagraph(html: string): string {
  let depth = 0;
  for (const [, end, container, words] of html.matchAll(/<(\/?)(blockquote|[ou]l)\b[^>]*>|<p>(.*?)<\/p>/gs))
    if (container !== undefined) depth += end === '' ? 1 : -1;
    else if (depth === 0) return words ?? '';
  return '';
}

/** The first paragraph of a text as it is rendered, in plain words, cut to what search engines show of a description. */
export function descriptionOf(text: string): string {
  const words = decode(firstParagraph(renderMarkdown(text)).replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ');
  return words.length <= shownLength ? words : `${words.slice(0, shownLength).replace(/\s\S*$/, '')} …`;
}
