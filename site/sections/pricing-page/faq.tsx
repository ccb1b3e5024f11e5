/** Questions and collapsible answers on the pricing page. */
import { only } from '#contract/sections/index.ts';
import { Disclosure } from '../disclosure.tsx';
import { Section } from '../section.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';

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
          <Disclosure key={item._id} title={item.accodingTitle}>
            {item.accodingText}
          </Disclosure>
        ))}
      </div>
    </Section>
  );
}
