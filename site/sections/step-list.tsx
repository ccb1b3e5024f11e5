/** Numbered steps along a line, for the work steps of the service page and 'How it works' on the pricing page. */
import type { RecordOf } from '#contract/sections/index.ts';
import { Icon } from '#site/ui/icon.tsx';
import { Section } from './section.tsx';
import { SectionHeading } from './section-heading.tsx';
import details from './details.module.css';
import css from './step-list.module.css';

interface StepListProps {
  readonly title: string;
  readonly steps: readonly (RecordOf<'step'> & Partial<RecordOf<'workStep'>>)[];
}

export function StepList({ title, steps }: StepListProps) {
  if (steps.length === 0) return null;
  return (
    <Section>
      <SectionHeading title={title} />
      <ol className={css['steps']}>
        {steps.map(({ _id, stepNumber, stepTitle, stepDetails, stapIcon }) => (
          <li key={_id} className={css['step']}>
            <p className={css['number']}>
              {stepNumber}
              {stapIcon !== undefined && <Icon name={stapIcon} size={28} />}
            </p>
            <h3>{stepTitle}</h3>
            <p className={details['text']}>{stepDetails}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}
