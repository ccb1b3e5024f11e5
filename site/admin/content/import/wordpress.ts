/** Reads a WordPress export (WXR), which is RSS with its own elements. */
import { Parser } from 'htmlparser2';
import { markdownFrom, type RichNode } from '#contract/rich-text.ts';
import { parseHtml } from './parse-html.ts';

interface WordPressItem {
  /** Returns the text of an element, such as `wp:status`; empty if it is missing. */
  readonly read: (element: string) => string;
  /** The names of its categories and tags. */
  readonly tags: readonly string[];
}

/** The items of an export. If several elements have the same name, the first one is used. */
export function itemsIn(xml: string): readonly WordPressItem[] {
  const items: WordPressItem[] = [];
  let elements = new Map<string, string>();
  let tags: string[] = [];
  let isTag = false;
  let text = '';
  const parser = new Parser(
    {
      onopentag(name, { domain }) {
        if (name === 'item') [elements, tags] = [new Map<string, string>(), []];
        isTag = name === 'category' && (domain === 'post_tag' || domain === 'category');
        text = '';
      },
      ontext(part) {
        text += part;
      },
      onclosetag(name, isImplied) {
        const [found, foundTags] = [elements, tags];
        if (name === 'item' && !isImplied)
          items.push({ read: (element) => found.get(element) ?? '', tags: foundTags });
        else if (isTag) tags.push(text.trim());
        else if (!elements.has(name)) elements.set(name, text.trim());
        isTag = false;
        text = '';
      },
    },
    { xmlMode: true },
  );
  parser.end(xml);
  return items;
}

/** Elements without text or a picture to keep. */
const mediaNames = /^(IFRAME|VIDEO|AUDIO|OBJECT|EMBED)$/;

const mediaIn = (node: RichNode): readonly string[] =>
  mediaNames.test(node.nodeName)
    ? [`${node.nodeName.toLowerCase()} ${node.getAttribute?.('src') ?? ''}`.trim()]
    : Array.from(node.childNodes).flatMap(mediaIn);

/** The shortcodes of WordPress's own media. They have no meaning outside WordPress. */
const shortcodes = /\[\/?(?:caption|embed|gallery|video|audio)(?![\w-])[^[\]]*\]/g;

/** A caption or an embedded link is kept as text, but a gallery or a player has no content outside its shortcode. */
const isLost = (shortcode: string): boolean => /^\[(?:gallery|video|audio)/.test(shortcode);

/**
 * WordPress separates paragraphs with blank lines, unless its block editor wrote tags.
 * @returns also the shortcodes and media that are left out
 */
export function markdownOf(content: string): { readonly text: string; readonly left: readonly string[] } {
  const html = content.replace(shortcodes, '').replace(/\r\n/g, '\n');
  const isWrapped = /<p[\s>]/i.test(html);
  const paragraphs = html
    .split(/\n{2,}/)
    .map((part) => (/^\s*<(?!a|b|em|i|strong|img|code|span)/i.test(part) ? part : `<p>${part}</p>`));
  const root = parseHtml(isWrapped ? html : paragraphs.join('\n'));
  return {
    text: markdownFrom(root),
    left: [...(content.match(shortcodes) ?? []).filter(isLost), ...mediaIn(root)],
  };
}
