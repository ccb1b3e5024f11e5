/** Reads articles from Markdown files and WordPress exports (WXR). Skipped articles are reported with a reason. */
import { articlePath } from '#contract/articles.ts';
import { isDay } from '#contract/days.ts';
import { decodePercent, slugFrom, slugPattern } from '#contract/addresses.ts';
import { problemOf } from '#contract/field-problems.ts';
import { sections } from '#contract/sections/index.ts';
import type { Field } from '#contract/section.ts';
import { maxTags, tagProblem, tagsIn } from '#contract/tags.ts';
import { linkReplacer, code } from './article-links.ts';
import { readFrontMatter } from './front-matter.ts';
import { parseHtml } from './parse-html.ts';
import { itemsIn, markdownOf } from './wordpress.ts';

export interface ImportFile {
  readonly name: string;
  readonly text: string;
}

/** An article that was not imported, or a part of an imported one that needs attention. */
export interface LeftOut {
  /** The file, or the article in a WordPress export. */
  readonly source: string;
  /** The part of an imported article, such as 'tag loans'. */
  readonly part?: string;
  readonly why: string;
}

/** The title of a release of imported articles. @param earlier how many releases the import has made so far */
export const importTitle = (startedAt: string, earlier: number): string =>
  `Imported articles, ${startedAt}${earlier === 0 ? '' : `, part ${earlier + 1}`}`;

interface ArticleValues extends Readonly<Record<string, string>> {
  readonly title: string;
  readonly text: string;
}

interface ImportedArticle {
  /** The file name, or the title in the export. */
  readonly source: string;
  /** The URL of its page on the former site; empty if the file does not contain it. */
  readonly formerUrl: string;
  readonly values: ArticleValues;
}

interface Import {
  readonly articles: readonly ImportedArticle[];
  readonly left: readonly LeftOut[];
}

const firstOf = (fields: ReadonlyMap<string, string>, ...names: readonly string[]): string =>
  names.map((name) => fields.get(name)).find((value) => value !== undefined && value !== '') ?? '';

const dayFrom = (text: string): string => {
  const day = text.slice(0, 10);
  return isDay(day) ? day : '';
};

const firstDay = (texts: readonly string[]): string => texts.map(dayFrom).find((day) => day !== '') ?? '';

/** The first words of a text, for articles without a summary. */
function summaryFrom(text: string): string {
  const plain = text
    .slice(0, 10_000)
    .split(/\n{2,}/)
    .map((block) => block.replace(/!\[[^\]]*\]\([^)]*\)/g, '').replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'))
    .find((block) => block.trim() !== '' && !/^[#>|`-]/.test(block.trim()));
  const words = (plain ?? '')
    .replace(/[*_`\\]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return words.length <= 155 ? words : `${words.slice(0, 150).replace(/\s\S*$/, '')} …`;
}

/** Whether a file is not meant to be public, according to the front matter of Hugo or Jekyll. */
const isDraft = (fields: ReadonlyMap<string, string>): boolean =>
  /^(true|yes|on)$/i.test(fields.get('draft') ?? '') ||
  /^(false|no|off)$/i.test(fields.get('published') ?? '');

/** Code, or a comment. */
const comments = new RegExp(`${code}|<!--(?:(?!<!--)[\\s\\S])*?-->\\n*`, 'gm');

/** Code, or a tag of HTML, or a shortcode of WordPress, Hugo or Jekyll. */
const markup = new RegExp(
  `${code}|(</?[a-z][a-z\\d-]*(?:\\s[^<>]*)?/?>|\\{\\{[<%][^{}]*\\}\\}|\\{%[^{}]*%\\}|\\[(?:gallery|caption|embed|video|audio)(?![\\w-])[^[\\]]*\\](?!\\())`,
  'gim',
);

/** The HTML and shortcodes in a Markdown file, which an article would show as text. */
const markupIn = (text: string): readonly string[] =>
  Array.from(text.matchAll(markup), ([, found]) => found).filter((found) => found !== undefined);

/** @returns undefined for a draft */
function fromMarkdown({ name, text }: ImportFile): ImportedArticle | undefined {
  const { fields, body } = readFrontMatter(text);
  if (isDraft(fields)) return undefined;
  const [, heading = '', belowHeading = ''] = /^# (.+)\n*([\s\S]*)$/.exec(body) ?? [];
  const title = firstOf(fields, 'title') || heading;
  // The page shows the title as its heading. Any other first heading is part of the text.
  const ownText = heading !== '' && heading === title ? belowHeading : body;
  const articleText = ownText.replace(comments, (found) => (found.startsWith('<!--') ? '' : found));
  const file = name.replace(/^.*\//, '').replace(/\.\w+$/, '');
  const typed = firstOf(fields, 'slug', 'permalink').replace(/^.*\/(?=[^/]+\/?$)|\/$/g, '');
  const kind = firstOf(fields, 'kind', 'type', 'layout').toLowerCase().replace('-', ' ');
  return {
    source: name,
    formerUrl: '',
    values: {
      title: title || file,
      slug: slugPattern.test(typed) ? typed : slugFrom(typed || file.replace(/^\d{4}-\d{2}-\d{2}-/, '')),
      kind: kind === 'page' || kind === 'case study' ? kind : 'guide',
      summary: firstOf(fields, 'summary', 'description', 'excerpt') || summaryFrom(articleText),
      text: articleText,
      author: firstOf(fields, 'author'),
      publishedOn: firstDay([
        ...['date', 'published', 'publishedon'].map((name) => fields.get(name) ?? ''),
        file,
      ]),
      tags: firstOf(fields, 'tags', 'categories', 'keywords'),
    },
  };
}

const leftOut = ({ name }: ImportFile, why: string): Import => ({
  articles: [],
  left: [{ source: name, why }],
});

function fromMarkdownFile(file: ImportFile): Import {
  if (file.text.trim() === '') return leftOut(file, 'The file is empty.');
  if (file.text.includes('\0')) return leftOut(file, 'This is not a text file.');
  try {
    const article = fromMarkdown(file);
    if (!article) return leftOut(file, 'It is marked as a draft.');
    const [found] = markupIn(article.values.text);
    const why = 'Articles show HTML and shortcodes as text. Replace them before you publish.';
    return {
      articles: [article],
      left: found === undefined ? [] : [{ source: file.name, part: found.slice(0, 100), why }],
    };
  } catch (thrown) {
    const [reason = ''] = String(thrown instanceof Error ? thrown.message : thrown).split('\n');
    return leftOut(file, `Its front matter cannot be read: ${reason.replace(/[:.]$/, '')}.`);
  }
}

/** The text of a title or a summary, in which WordPress allows HTML. */
const wordsIn = (html: string): string => (parseHtml(html).textContent ?? '').trim();

function fromWordPress({ name, text }: ImportFile): Import {
  const articles: ImportedArticle[] = [];
  const left: LeftOut[] = [];
  for (const { read, tags } of itemsIn(text)) {
    const title = wordsIn(read('title'));
    const type = read('wp:post_type');
    const status = read('wp:status');
    const source = `${name}: ${title || 'Untitled'}`;
    if (type !== 'post' && type !== 'page') {
      if (type === 'attachment') continue;
      left.push({ source, why: `Its type, “${type}”, cannot be imported.` });
    } else if (status !== 'publish')
      left.push({ source, why: `It is not published in WordPress (${status}).` });
    else if (read('wp:post_password') !== '')
      left.push({ source, why: 'It is password-protected in WordPress.' });
    else {
      const { text: body, left: parts } = markdownOf(read('content:encoded'));
      left.push(...parts.map((part) => ({ source, part, why: 'We left this part out.' })));
      articles.push({
        source,
        formerUrl: read('link'),
        values: {
          title,
          slug: slugFrom(decodePercent(read('wp:post_name')) || title),
          kind: type === 'page' ? 'page' : 'guide',
          summary: wordsIn(read('excerpt:encoded')) || summaryFrom(body),
          text: body,
          author: '',
          publishedOn: dayFrom(read('wp:post_date')),
          tags: tags.filter((tag) => tag !== 'Uncategorized').join(', '),
        },
      });
    }
  }
  if (articles.length + left.length === 0)
    left.push({ source: name, why: 'It is not a WordPress export file.' });
  return { articles, left };
}

function withValidTags(article: ImportedArticle): Import {
  const { source, values } = article;
  const tags = tagsIn(values['tags'] ?? '');
  const kept = tags.filter((tag) => tagProblem(tag) === undefined).slice(0, maxTags);
  const others = tags.filter((tag) => !kept.includes(tag));
  return {
    articles: [{ ...article, values: { ...values, tags: kept.join(', ') } }],
    left: others.map((tag) => ({
      source,
      part: `tag ${tag}`,
      why: tagProblem(tag) ?? `An article has at most ${maxTags} tags.`,
    })),
  };
}

function withNewLinks(articles: readonly ImportedArticle[]): Import {
  const moved = ({ source, formerUrl, values: { kind = '', slug = '' } }: ImportedArticle) => ({
    source,
    formerUrl,
    path: articlePath({ kind, slug }),
  });
  const replaceLinks = linkReplacer(articles.map(moved));
  const left: LeftOut[] = [];
  const linked = articles.map((article) => {
    const { text, lost } = replaceLinks(moved(article), article.values.text);
    const why = 'The link points to a file that was not imported, so we kept only its text.';
    left.push(...lost.map((address) => ({ source: article.source, part: `link to ${address}`, why })));
    return { ...article, values: { ...article.values, text } };
  });
  return { articles: linked, left };
}

function problemIn({ values }: ImportedArticle): string | undefined {
  const fields: Readonly<Record<string, Field>> = sections.article.fields;
  return Object.entries(fields)
    .map(([name, field]) => problemOf(field, values[name] ?? (name === 'kind' ? 'guide' : '')))
    .find((problem) => problem !== undefined);
}

/** Links the articles to each other. Articles with a problem are left out, and no link points to them. */
function withoutProblems(articles: readonly ImportedArticle[]): Import {
  const linked = withNewLinks(articles);
  const problems = linked.articles.map(problemIn);
  if (problems.every((problem) => problem === undefined)) return linked;
  const rest = withoutProblems(articles.filter((_, index) => problems[index] === undefined));
  const refused = articles.flatMap(({ source }, index): LeftOut[] => {
    const why = problems[index];
    return why === undefined ? [] : [{ source, why }];
  });
  return { articles: rest.articles, left: [...refused, ...rest.left] };
}

/** Reads the articles in files: `.md` and `.markdown`, and `.xml` for WordPress exports. */
export function readArticles(files: readonly ImportFile[]): Import {
  const parts = files.map((file): Import => {
    if (/\.(md|markdown)$/i.test(file.name)) return fromMarkdownFile(file);
    if (/\.xml$/i.test(file.name)) return fromWordPress(file);
    return leftOut(file, 'Only .md and .xml files can be imported.');
  });
  const tagged = parts.flatMap((part) => part.articles).map(withValidTags);
  const left = [...parts, ...tagged].flatMap((part) => part.left);
  const slugs = new Set<string>();
  const articles = tagged
    .flatMap((part) => part.articles)
    .filter(({ source, values: { slug = '' } }) => {
      const isTaken = slug !== '' && slugs.has(slug);
      slugs.add(slug);
      if (isTaken) left.push({ source, why: `Another article has the address ${slug}.` });
      return !isTaken;
    });
  const linked = withoutProblems(articles);
  return { articles: linked.articles, left: [...left, ...linked.left] };
}
