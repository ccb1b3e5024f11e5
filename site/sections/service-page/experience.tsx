/** The about block of the service page, with three skill bars. */
import { only } from '#contract/sections/index.ts';
import { Meter } from '#site/ui/meter.tsx';
import { Section } from '../section.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import details from '../details.module.css';
import css from './experience.module.css';

export const shows: Shows = ['experience'];

/** Parses a percentage and limits it to 0 to 100; undefined if it is not a number. */
function parsePercent(text: string): number | undefined {
  const value = Number.parseFloat(text);
  return Number.isNaN(value) ? undefined : Math.min(100, Math.max(0, value));
}

export default function Experience({ content }: SectionProps) {
  const experience = only(content.experience ?? []);
  if (!experience) return null;
  const skills = [
    { label: experience.skillOneText, percent: parsePercent(experience.skillOneNumber) },
    { label: experience.skillTwoText, percent: parsePercent(experience.skillTwoNumber) },
    { label: experience.skillThreeText, percent: parsePercent(experience.skillThreeNumber) },
  ].filter(({ percent }) => percent !== undefined);
  return (
    <Section tone="sunken" layout="halves">
      <div className={css['words']}>
        <SectionHeading eyebrow={experience.experienceText} title={experience.experienceHeading} />
        <p className={details['long']}>{experience.experienceDetails}</p>
      </div>
      {skills.length > 0 && (
        <div className={css['skills']}>
          {skills.map(({ label, percent = 0 }, index) => (
            <Meter key={index} label={label} value={percent} />
          ))}
        </div>
      )}
    </Section>
  );
}
