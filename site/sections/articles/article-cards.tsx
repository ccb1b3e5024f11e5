/** Articles in a list, each with its summary and date. */
import { articlePath, isListed, listedKinds, type Article } from '#contract/articles.ts';
import { longDate } from '#contract/days.ts';
import { classNames } from '#site/ui/class-names.ts';
import wholeLink from '#site/ui/whole-link.module.css';
import { Picture } from '../picture.tsx';
import type { SectionProps } from '../section-props.ts';
import css from './article-cards.module.css';

interface ArticleCardsProps {
  readonly articles: readonly Article[];
  readonly media: SectionProps['content']['media'];
  readonly level?: 2 | 3;
}

const kindTitle = ({ kind }: Article): string =>
  kind === 'case study' ? 'Case study' : kind === 'guide' ? 'Guide' : 'Page';

export function ArticleCards({ articles, media, level = 2 }: ArticleCardsProps) {
  const Heading = `h${level}` as const;
  return (
    <ul className={css['cards']}>
      {articles.map((article) => (
        <li key={article._id} className={css['card']}>
          <Picture
            src={article.cover || undefined}
            media={media}
            sizes="(min-width: 60rem) 25rem, (min-width: 44rem) 50vw, 100vw"
            className={css['cover']}
          />
          <p className={classNames('targets', css['facts'])}>
            {isListed(article) && (
              <a href={listedKinds[article.kind as keyof typeof listedKinds].path}>{kindTitle(article)}</a>
            )}
            <time dateTime={article.publishedOn}>{longDate(article.publishedOn)}</time>
          </p>
          <Heading className={classNames(wholeLink['title'], css['title'])}>
            <a href={articlePath(article)}>{article.title}</a>
          </Heading>
          <p className={css['summary']}>{article.summary}</p>
        </li>
      ))}
    </ul>
  );
}
