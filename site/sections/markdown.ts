/**
 * Renders the site's long texts: CommonMark with tables. HTML in the text is shown as typed, and so is a picture that
 * is not in the library. A link keeps its URL only if the product's rule for links allows it, so the result is safe
 * HTML.
 */
import { micromark } from 'micromark';
import { gfmTable, gfmTableHtml } from 'micromark-extension-gfm-table';
import { isSafeAddress } from '#contract/addresses.ts';
import { markdownProblem } from '#contract/markdown-budget.ts';
import { widthsOf, type Media } from './picture-widths.ts';

/** Disables HTML. https://github.com/micromark/micromark#extensions */
const withoutHtml = { disable: { null: ['htmlFlow', 'htmlText'] } };

const entities: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"' };
const characters = Object.fromEntries(Object.entries(entities).map(([entity, sign]) => [sign, entity]));
const decode = (text: string) =>
  text.replace(/&(?:amp|lt|gt|quot);/g, (entity) => entities[entity] ?? entity);
const encode = (text: string) => text.replace(/[&<>"]/g, (sign) => characters[sign] ?? sign);

/** Returns a text as typed, with its paragraphs. */
const asTyped = (text: string): string =>
  text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${encode(paragraph)}</p>`)
    .join('\n');

/** Invisible characters, as the compiler encodes them in a URL. They would break the link. */
const withoutWidth = /%E2%80%8B|%E2%81%A0|%EF%BB%BF/g;

/** Ids on the surrounding page, which headings must not use. */
const takenIds = ['main', 'menu', 'subscribed'];

/** Gives headings ids based on their words, so that links can point to them. */
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

const picture = /<img src="([^"]*)" alt="([^"]*)"(?: title="[^"]*")? \/>/g;

/** A library picture with its sizes, or the typed text for any other picture. */
function pictureHtml(src: string, alt: string, media: readonly Media[]): string {
  const address = decode(src);
  const known = media.find(({ path }) => path === address);
  if (!known) return `![${alt}](${src})`;
  const widths = widthsOf(known, '(min-width: 44rem) 42rem, 100vw');
  const attributes = {
    src: known.path,
    alt: decode(alt) || known.alt,
    ...('srcSet' in widths && { srcset: widths.srcSet, sizes: widths.sizes }),
    ...(known.width !== '' && { width: known.width, height: known.height }),
  };
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${encode(value)}"`);
  return `<img${written.join('')} loading="lazy" decoding="async">`;
}

/** The compiler's own list of protocols lacks `tel:`, so it is disabled. `isSafeAddress` decides. */
const compile = (text: string): string =>
  micromark(text, {
    extensions: [withoutHtml, gfmTable()],
    htmlExtensions: [gfmTableHtml()],
    allowDangerousProtocol: true,
  });

const link = /<a href="([^"]*)"/g;

/**
 * Returns the first link URL that the rendered text would lose, because the product's rule for links does not allow it;
 * undefined if all are allowed.
 */
export const unsafeLinkIn = (text: string): string | undefined =>
  Array.from(compile(text).matchAll(link), ([, written = '']) =>
    decode(written.replace(withoutWidth, '')),
  ).find((address) => !isSafeAddress(address, 'link'));

/**
 * Renders a text as HTML. A text that exceeds the parser's budget is shown as typed. A save would reject such a text,
 * but a form may contain it. The page has its own main heading, so a first-level heading becomes second-level. The
 * compiler writes `<` and `"` only in tags, and the replacements rely on that.
 * @param media the library, whose pictures the text may show
 */
export function renderMarkdown(text: string, media: readonly Media[] = []): string {
  if (markdownProblem(text) !== undefined) return asTyped(text);
  return withIds(
    compile(text)
      .replace(link, (_tag, written: string) => {
        const address = written.replace(withoutWidth, '');
        return isSafeAddress(decode(address), 'link') ? `<a href="${address}"` : '<a';
      })
      .replace(picture, (_whole, src: string, alt: string) => pictureHtml(src, alt, media))
      .replace(/<(\/?)h1>/g, '<$1h2>'),
  );
}

/** How many characters of a description search engines show. */
const shownLength = 155;

/** The HTML of the first paragraph outside lists and quotations; empty if there is none. */
function firstParagraph(html: string): string {
  let depth = 0;
  for (const [, end, container, words] of html.matchAll(/<(\/?)(blockquote|[ou]l)\b[^>]*>|<p>(.*?)<\/p>/gs))
    if (container !== undefined) depth += end === '' ? 1 : -1;
    else if (depth === 0) return words ?? '';
  return '';
}

/** Returns the first paragraph of a text as plain text, cut to the length that search engines show. */
export function descriptionOf(text: string): string {
  const words = decode(firstParagraph(renderMarkdown(text)).replace(/<[^>]*>/g, '')).replace(/\s+/g, ' ');
  return words.length <= shownLength ? words : `${words.slice(0, shownLength).replace(/\s\S*$/, '')} …`;
}

/** Whether a text begins with its summary, as after an import. @param html the rendered text */
export const beginsWith = (html: string, summary: string): boolean =>
  decode(html.replace(/<[^>]*>/g, ''))
    .replace(/\s+/g, ' ')
    .trimStart()
    .startsWith(summary.replace(/ …$/, ''));

export interface Heading {
  readonly id: string;
  readonly level: number;
  readonly words: string;
}

/** Returns the second- and third-level headings in the HTML of a text, for its table of contents. */
export const headingsOf = (html: string): readonly Heading[] =>
  Array.from(
    html.matchAll(/<h([23]) id="([^"]*)">(.*?)<\/h/gs),
    ([, level, id = '', inside = '']): Heading => ({
      id,
      level: Number(level),
      words: decode(inside.replace(/<[^>]*>/g, '')),
    }),
  );
