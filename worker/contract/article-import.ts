/**
 * Reads articles from elsewhere: Markdown files with front matter, and the export file of WordPress (WXR). Nothing is saved
 * here. What cannot be taken over is named, with the reason.
 */
import { isDay } from './days.ts';
import { decodePercent, slugFrom, slugPattern } from './addresses.ts';
import { problemOf } from './field-problems.ts';
import { decodeEntities, parseHtml } from './parse-html.ts';
import { markdownFrom } from './rich-text.ts';
import { sections } from './sections/index.ts';
import type { Field } from './section.ts';

/** A file that a person chose. */
export interface ImportFile {
  readonly name: string;
  readonly text: string;
}

/** Something that was left out, and why. */
export interface LeftOut {
  readonly source: string;
  readonly why: string;
}

export interface ArticleValues extends Readonly<Record<string, string>> {
  readonly title: string;
  readonly text: string;
}

export interface ImportedArticle {
  /** The file, or the title in the export. */
  readonly source: string;
  readonly values: ArticleValues;
}

export interface Import {
  readonly articles: readonly ImportedArticle[];
  readonly left: readonly LeftOut[];
}

/** The parts of the front matter at the top of a Markdown file: `key: value` lines, and lists in either form of YAML. */
function frontMatterOf(text: string): {
  readonly fields: ReadonlyMap<string, string>;
  readonly body: string;
} {
  const [whole = '', head = ''] = /^\uFEFF?---\r?\n([\s\S]*?)\r?\n---\r?\n?/.exec(text) ?? [];
  const fields = new Map<string, string>();
  let key = '';
  for (const line of head.split(/\r?\n/)) {
    const item = /^\s*-\s+(.*)$/.exec(line)?.[1];
    const [, name, value = ''] = /^([\w-]+):\s*(.*)$/.exec(line) ?? [];
    const clean = (part: string) => part.trim().replace(/^(["'])(.*)\1$/, '$2');
    if (name !== undefined) {
      key = name.toLowerCase();
      fields.set(
        key,
        value.startsWith('[')
          ? value
              .replace(/^\[|\]$/g, '')
              .split(',')
              .map(clean)
              .join(', ')
          : clean(value),
      );
    } else if (item !== undefined && key !== '')
      fields.set(key, [fields.get(key), clean(item)].filter(Boolean).join(', '));
  }
  return { fields, body: text.slice(whole.length).trim() };
}

const firstOf = (fields: ReadonlyMap<string, string>, ...names: readonly string[]): string =>
  names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== '') ?? '';

const dayFrom = (text: string): string => {
  const day = text.slice(0, 10);
  return isDay(day) ? day : '';
};

/** The first words of a text, for articles without a summary. */
function summaryFrom(text: string): string {
  const plain = text
    .split(/\n{2,}/)
    .map((block) => block.replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    .find((block) => block.trim() !== '' && !/^[#>|`-]/.test(block.trim()));
  const words = (plain ?? '')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= 155 ? words : `${words.slice(0, 150).replace(/\s\S*$/, '')} …`;
}

function fromMarkdown({ name, text }: ImportFile): ImportedArticle {
  const { fields, body } = frontMatterOf(text);
  const [, heading = '', rest = body] = /^# (.+)\n*([\s\S]*)$/.exec(body) ?? [];
  const file = name.replace(/^.*\//, '').replace(/\.\w+$/, '');
  const typed = firstOf(fields, 'slug', 'permalink').replace(/^.*\/(?=[^/]+\/?$)|\/$/g, '');
  const kind = firstOf(fields, 'kind', 'type', 'layout').toLowerCase().replace('-', ' ');
  return {
    source: name,
    values: {
      title: firstOf(fields, 'title') || heading || file,
      slug: slugPattern.test(typed) ? typed : slugFrom(typed || file.replace(/^\d{4}-\d{2}-\d{2}-/, '')),
      kind: kind === 'page' || kind === 'case study' ? kind : 'guide',
      summary: firstOf(fields, 'summary', 'description', 'excerpt') || summaryFrom(rest),
      text: rest,
      author: firstOf(fields, 'author'),
      publishedOn: dayFrom(firstOf(fields, 'date', 'published', 'publishedon') || file),
      tags: firstOf(fields, 'tags', 'categories', 'keywords'),
    },
  };
}

/** What an element of the export says: its text, or the text of its CDATA. */
function elementIn(xml: string, name: string): string {
  const [, inside = ''] = new RegExp(`<${name}(?:\\s[^>]*)?>([\\s\\S]*?)</${name}>`).exec(xml) ?? [];
  const parts = Array.from(inside.matchAll(/<!\[CDATA\[([\s\S]*?)\]\]>/g), ([, part]) => part ?? '');
  return (parts.length > 0 ? parts.join('') : decodeEntities(inside)).trim();
}

/** WordPress writes paragraphs as blank lines unless its block editor wrote tags. Shortcodes mean nothing elsewhere. */
function textFromWordPress(content: string): string {
  const html = content
    .replace(/\[\/?(?:caption|gallery|embed|video|audio)[^\]]*\]/g, '')
    .replace(/<!--[\s\S]*?-->/g, '')
    .replace(/\r\n/g, '\n');
  const isWrapped = /<p[\s>]/i.test(html);
  const paragraphs = html
    .split(/\n{2,}/)
    .map((part) => (/^\s*<(?!a|b|em|i|strong|img|code|span)/i.test(part) ? part : `<p>${part}</p>`));
  return markdownFrom(parseHtml(isWrapped ? html : paragraphs.join('\n')));
}

function fromWordPress({ name, text }: ImportFile): Import {
  const articles: ImportedArticle[] = [];
  const left: LeftOut[] = [];
  for (const [item] of text.matchAll(/<item>[\s\S]*?<\/item>/g)) {
    const title = decodeEntities(elementIn(item, 'title'));
    const type = elementIn(item, 'wp:post_type');
    const status = elementIn(item, 'wp:status');
    const source = `${name}: ${title || 'Untitled'}`;
    if (type !== 'post' && type !== 'page') {
      if (type === 'attachment') continue;
      left.push({ source, why: `It is of the type “${type}”.` });
    } else if (status !== 'publish') left.push({ source, why: `It is not published there (${status}).` });
    else {
      const body = textFromWordPress(elementIn(item, 'content:encoded'));
      const tags = Array.from(
        item.matchAll(/<category domain="(?:post_tag|category)"[^>]*>([\s\S]*?)<\/category>/g),
        ([whole]) => elementIn(whole, 'category'),
      ).filter((tag) => tag !== 'Uncategorized');
      articles.push({
        source,
        values: {
          title,
          slug: slugFrom(decodePercent(elementIn(item, 'wp:post_name')) || title),
          kind: type === 'page' ? 'page' : 'guide',
          summary: elementIn(item, 'excerpt:encoded').replace(/<[^>]*>/g, '') || summaryFrom(body),
          text: body,
          author: '',
          publishedOn: dayFrom(elementIn(item, 'wp:post_date')),
          tags: [...new Set(tags)].slice(0, 8).join(', '),
        },
      });
    }
  }
  if (articles.length + left.length === 0)
    left.push({ source: name, why: 'It is no export file of WordPress.' });
  return { articles, left };
}

/** Why an article cannot be taken over; undefined if it can. */
function problemIn({ values }: ImportedArticle): string | undefined {
  const fields: Readonly<Record<string, Field>> = sections.article.fields;
  return Object.entries(fields)
    .map(([name, field]) => problemOf(field, values[name] ?? (name === 'kind' ? 'guide' : '')))
    .find((problem) => problem !== undefined);
}

/** Reads the articles of files: `.md` and `.markdown`, and `.xml` for the export of WordPress. */
export function readArticles(files: readonly ImportFile[]): Import {
  const parts = files.map((file): Import => {
    if (/\.(md|markdown)$/i.test(file.name)) return { articles: [fromMarkdown(file)], left: [] };
    if (/\.xml$/i.test(file.name)) return fromWordPress(file);
    return { articles: [], left: [{ source: file.name, why: 'Only .md and .xml files can be imported.' }] };
  });
  const left = parts.flatMap((part) => part.left);
  const slugs = new Set<string>();
  const articles = parts
    .flatMap((part) => part.articles)
    .filter((article) => {
      const slug = article.values['slug'] ?? '';
      const problem =
        slugs.has(slug) && slug !== '' ? `Another one has the address ${slug}.` : problemIn(article);
      slugs.add(slug);
      if (problem !== undefined) left.push({ source: article.source, why: problem });
      return problem === undefined;
    });
  return { articles, left };
}
