/** One order from its payment to its report, day by day, on the pricing page. It looks like a page of a ledger. */
import { only } from '#contract/sections/index.ts';
import { Section } from '../section.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import details from '../details.module.css';
import css from './worked-example.module.css';

export const shows: Shows = ['exampleText', 'exampleDay'];

export default function WorkedExample({ content }: SectionProps) {
  const heading = only(content.exampleText ?? []);
  const days = content.exampleDay ?? [];
  if (days.length === 0) return null;
  return (
    <Section id="example" tone="sunken" layout="split">
      <SectionHeading title={heading?.exampleHeading} text={heading?.exampleDetails} />
      <ol className={css['days']}>
        {days.map((day) => (
          <li key={day._id} className={css['day']}>
            <p className={css['date']}>{day.dayDate}</p>
            <div className={css['words']}>
              <h3 className={css['title']}>{day.dayTitle}</h3>
              <p className={details['text']}>{day.dayDetails}</p>
            </div>
          </li>
        ))}
      </ol>
    </Section>
  );
}
