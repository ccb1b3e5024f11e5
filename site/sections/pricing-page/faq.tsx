/** Questions and answers, on the pricing page; the browser opens and closes them. */
import { Plus } from 'lucide-react';
import { only } from '#contract/sections/index.ts';
import { Section } from '../section.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './faq.module.css';

export const shows: Shows = ['faqText', 'faqItem'];

export default function Faq({ content }: SectionProps) {
  const heading = only(content.faqText ?? []);
  const items = content.faqItem ?? [];
  if (items.length === 0) return null;
  return (
    <Section id="faq" layout="split">
      <SectionHeading eyebrow={heading?.faqText} title={heading?.faqHeading} />
      <div>
        {items.map((item) => (
          <details key={item._id} className={css['item']}>
            <summary className={css['question']}>
              <h3>{item.accodingTitle}</h3>
              <Plus size="1.5rem" aria-hidden="true" />
            </summary>
            <p className={css['answer']}>{item.accodingText}</p>
          </details>
        ))}
      </div>
    </Section>
  );
}
