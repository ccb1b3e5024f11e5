/** The firm's figures, each with a plus sign. */
import { only } from '#contract/sections/index.ts';
import { Section } from '../section.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './counters.module.css';

export const shows: Shows = ['counters'];

export default function Counters({ content }: SectionProps) {
  const counters = only(content.counters ?? []);
  if (!counters) return null;
  const figures = [
    { number: counters.happyClientsNumber, text: counters.happyClientsText },
    { number: counters.projectCompleteNumber, text: counters.projectCompleteText },
    { number: counters.yearofExperienceNumber, text: counters.yearofExperienceText },
    { number: counters.teamNumber, text: counters.teamText },
    { number: counters.winingAwardNumber, text: counters.winingAwardText },
  ].filter(({ number }) => number !== '');
  if (figures.length === 0) return null;
  return (
    <Section tone="deep" room="slim" label="Our figures">
      <dl className={css['list']}>
        {figures.map(({ number, text }, index) => (
          <div key={index} className={css['figure']}>
            <dt>{text}</dt>
            <dd>
              {number}
              <span className={css['plus']}>+</span>
            </dd>
          </div>
        ))}
      </dl>
    </Section>
  );
}
