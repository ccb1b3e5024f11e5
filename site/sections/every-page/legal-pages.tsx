/** The legal pages: privacy, terms, refunds. Each page passes only its own record. */
import { Section } from '../section.tsx';
import { renderMarkdown } from '../markdown.ts';
import { PageHeading } from '../page-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import longText from '../long-text.module.css';
import css from './legal-pages.module.css';

export const shows: Shows = ['legalPage'];

export default function LegalPages({ content }: SectionProps) {
  return (content.legalPage ?? []).map(({ _id, title, text, updated }) => (
    <article key={_id}>
      <PageHeading title={title} />
      <Section label={title} room="slim">
        <div className={css['page']}>
          <p className={css['updated']}>Last updated: {updated}</p>
          <div
            className={longText['text']}
            dangerouslySetInnerHTML={{ __html: renderMarkdown(text, content.media) }}
          />
        </div>
      </Section>
    </article>
  ));
}
