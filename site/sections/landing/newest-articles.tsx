/** The three newest articles on the landing page, if the article settings enable them. */
import { articlePath, isListed } from '#contract/articles.ts';
import { longDate } from '#contract/days.ts';
import { linkTo } from '#contract/screens.ts';
import { only } from '#contract/sections/index.ts';
import { ArrowLink } from '../arrow-link.tsx';
import { SectionHeading } from '../section-heading.tsx';
import { Section } from '../section.tsx';
import type { SectionProps } from '../section-props.ts';
import details from '../details.module.css';
import service from '../service.module.css';
import css from './services.module.css';

/** It uses the styles of the services, because another style sheet would make the landing page heavier. */
export function NewestArticles({ content }: SectionProps) {
  const text = only(content.articlesText ?? []);
  if (text?.onLanding !== 'yes') return null;
  const newest = (content.article ?? []).filter(isListed).slice(0, 3);
  if (newest.length === 0) return null;
  return (
    <Section layout="split" tone="sunken">
      <div className={css['lead']}>
        <SectionHeading title={text.articlesHeading} text={text.articlesIntro} />
        <div>
          <ArrowLink href={linkTo('articles')} text="All articles" />
        </div>
      </div>
      <ul className={css['items']}>
        {newest.map((article) => (
          <li key={article._id} className={css['item']}>
            <div className={css['words']}>
              <p className={service['name']}>{longDate(article.publishedOn)}</p>
              <h3>
                <a href={articlePath(article)}>{article.title}</a>
              </h3>
              <p className={details['text']}>{article.summary}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
