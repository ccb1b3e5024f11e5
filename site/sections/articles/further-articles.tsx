/** More articles after an article: its neighbors in the list, and articles on a common topic. */
import { articlePath, type Article, type ArticlePage } from '#contract/articles.ts';
import { SectionHeading } from '../section-heading.tsx';
import { Section } from '../section.tsx';
import type { SectionProps } from '../section-props.ts';
import { ArticleCards } from './article-cards.tsx';
import css from './article.module.css';

const Neighbor = ({ article, side }: { readonly article: Article; readonly side: 'newer' | 'older' }) => (
  <a href={articlePath(article)} data-side={side} rel={side === 'older' ? 'prev' : 'next'}>
    <span>{side === 'older' ? 'Previous' : 'Next'}</span>
    {article.title}
  </a>
);

export function FurtherArticles({ page, content }: SectionProps & { readonly page: ArticlePage }) {
  const { newer, older, related } = page;
  if (!newer && !older) return null;
  return (
    <Section label="More articles" tone="sunken" room="slim">
      <nav className={css['neighbors']} aria-label="Previous and next article">
        {older && <Neighbor article={older} side="older" />}
        {newer && <Neighbor article={newer} side="newer" />}
      </nav>
      {related.length > 0 && (
        <>
          <SectionHeading title="On the same topic" />
          <ArticleCards articles={related} media={content.media} level={3} />
        </>
      )}
    </Section>
  );
}
