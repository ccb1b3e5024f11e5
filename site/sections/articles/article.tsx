/** An article, case study or page: heading, summary, text and tags. */
import {
  articlePath,
  isListed,
  listedKinds,
  readingMinutes,
  tagPath,
  tagsOf,
  type Article,
} from '#contract/articles.ts';
import { counted } from '#contract/counted.ts';
import { linkTo } from '#contract/screens.ts';
import { longDate } from '#contract/days.ts';
import { beginsWith, headingsOf, renderMarkdown, type Heading } from '../markdown.ts';
import longText from '../long-text.module.css';
import { PageHeading, type Crumb } from '../page-heading.tsx';
import { Picture } from '../picture.tsx';
import { Section } from '../section.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import { classNames } from '#site/ui/class-names.ts';
import cards from './article-cards.module.css';
import css from './article.module.css';

export const shows: Shows = ['article'];

/** A text with fewer headings gets no table of contents. */
const minHeadings = 3;

const Day = ({ day }: { readonly day: string }) => <time dateTime={day}>{longDate(day)}</time>;

function Facts({ article }: { readonly article: Article }) {
  const { author, publishedOn, revisedOn, text } = article;
  return (
    <p className={cards['facts']}>
      {author && <span>By {author}</span>}
      {publishedOn && <Day day={publishedOn} />}
      {revisedOn && (
        <span>
          Revised <Day day={revisedOn} />
        </span>
      )}
      <span>{counted(readingMinutes(text), 'minute')} to read</span>
    </p>
  );
}

const Contents = ({ headings }: { readonly headings: readonly Heading[] }) => (
  <nav className={classNames('targets screen-only', css['contents'])} aria-labelledby="contents">
    <h2 id="contents">In this article</h2>
    <ol>
      {headings.map(({ id, level, words }) => (
        <li key={id} data-level={level}>
          <a href={`#${id}`}>{words}</a>
        </li>
      ))}
    </ol>
  </nav>
);

export const Tags = ({ article }: { readonly article: Article }) => {
  const tags = tagsOf(article);
  return tags.length === 0 ? null : (
    <ul className={classNames('targets', css['tags'])} aria-label="Topics">
      {tags.map((tag) => {
        const path = isListed(article) ? tagPath(tag) : undefined;
        return <li key={tag}>{path === undefined ? tag : <a href={path}>{tag}</a>}</li>;
      })}
    </ul>
  );
};

export function crumbsOf(article: Article): readonly Crumb[] {
  const kind = isListed(article) ? listedKinds[article.kind as keyof typeof listedKinds] : undefined;
  return [
    ...(kind
      ? [
          { name: 'Articles', href: linkTo('articles') },
          { name: kind.title, href: kind.path },
        ]
      : []),
    { name: article.title, href: articlePath(article) },
  ];
}

export default function Articles({ content }: SectionProps) {
  return (content.article ?? []).map((article) => {
    const { _id, kind, title, summary, cover, text } = article;
    const html = renderMarkdown(text, content.media);
    const headings = headingsOf(html);
    const hasContents = headings.length >= minHeadings;
    return (
      <article key={_id}>
        <PageHeading
          title={title}
          text={beginsWith(html, summary) ? undefined : summary}
          crumbs={crumbsOf(article)}
          isLong
        />
        <Section label={title} room="slim">
          <div className={css['page']} data-contents={hasContents || undefined}>
            {kind !== 'page' && <Facts article={article} />}
            {hasContents && <Contents headings={headings} />}
            <Picture
              src={cover || undefined}
              media={content.media}
              sizes="(min-width: 44rem) 42rem, 100vw"
              className={css['cover']}
              when="now"
            />
            <div
              className={classNames(css['text'], longText['text'])}
              dangerouslySetInnerHTML={{ __html: html }}
            />
            <Tags article={article} />
          </div>
        </Section>
      </article>
    );
  });
}
