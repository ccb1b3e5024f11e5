/** A page of a list of articles, with links to other lists and to older and newer articles. */
import { listedKinds, listPagePath, recordPages, type ListPage } from '#contract/articles.ts';
import { feedPath, linkTo } from '#contract/screens.ts';
import { only } from '#contract/sections/index.ts';
import { PageHeading, type Crumb } from '../page-heading.tsx';
import { Section } from '../section.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import { ArticleCards } from './article-cards.tsx';
import { classNames } from '#site/ui/class-names.ts';
import css from './article-list.module.css';

export const shows: Shows = ['articlesText'];

/** The maximum number of topics; those with the most articles are shown. */
const maxTopics = 12;

export const headingOf = ({ title }: ListPage, content: SectionProps['content']): string =>
  title ?? (only(content.articlesText ?? [])?.articlesHeading || 'Articles');

export const listCrumbs = ({ title, path }: ListPage): readonly Crumb[] => [
  { name: 'Articles', href: linkTo('articles') },
  ...(title === undefined ? [] : [{ name: title, href: path }]),
];

/** The links to other lists: by kind, and by topics with enough articles. */
function otherLists({ article = [] }: SectionProps['content']): readonly Crumb[] {
  const pages = [...recordPages(article).values()];
  const first = pages.flatMap((page) => (page.type === 'list' && page.number === 1 ? [page] : []));
  const kindPaths: readonly string[] = Object.values(listedKinds).map(({ path }) => path);
  const kinds = first.filter(({ path }) => kindPaths.includes(path));
  const topics = first
    .filter(({ path, title, isThin }) => title !== undefined && !isThin && !kindPaths.includes(path))
    .sort((a, b) => b.pageCount - a.pageCount || b.articles.length - a.articles.length)
    .slice(0, maxTopics);
  return [...kinds, ...topics].map(({ title = '', path }) => ({ name: title, href: path }));
}

/** @param base the path of the list's first page */
function Pager({ page, base }: { readonly page: ListPage; readonly base: string }) {
  if (page.pageCount < 2) return null;
  return (
    <nav className={classNames('targets screen-only', css['pager'])} aria-label="Pages of the list">
      {page.number > 1 ? <a href={listPagePath(base, page.number - 1)}>Newer</a> : <span />}
      <span>
        Page {page.number} of {page.pageCount}
      </span>
      {page.number < page.pageCount ? <a href={listPagePath(base, page.number + 1)}>Older</a> : <span />}
    </nav>
  );
}

export function ArticleList({ page, content }: SectionProps & { readonly page: ListPage }) {
  const text = only(content.articlesText ?? []);
  const base = page.title === undefined ? linkTo('articles') : page.path.replace(/\/page\/\d+$/, '');
  const others = page.path === linkTo('articles') ? otherLists(content) : [];
  return (
    <>
      <PageHeading
        title={headingOf(page, content)}
        text={page.title === undefined ? text?.articlesIntro : undefined}
        crumbs={listCrumbs(page)}
      />
      <Section label={headingOf(page, content)} room="slim">
        {others.length > 0 && (
          <nav className={classNames('targets screen-only', css['lists'])} aria-label="Topics">
            {others.map(({ name, href }) => (
              <a key={href} href={href}>
                {name}
              </a>
            ))}
          </nav>
        )}
        {page.articles.length === 0 ? (
          <p>Articles will be listed here.</p>
        ) : (
          <ArticleCards articles={page.articles} media={content.media} />
        )}
        <Pager page={page} base={base} />
        <p className={classNames('targets screen-only', css['feed'])}>
          <a href={feedPath}>Subscribe via RSS</a>
        </p>
      </Section>
    </>
  );
}

/** The list in the editor's preview. */
export default function FirstPage({ content }: SectionProps) {
  const page = recordPages(content.article ?? []).get(linkTo('articles'));
  const text = only(content.articlesText ?? []);
  return text && page?.type === 'list' ? <ArticleList page={page} content={content} /> : null;
}
