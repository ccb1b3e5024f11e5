import { only } from '#contract/sections/index.ts';
import { Section } from '../section.tsx';
import { Picture } from '../picture.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './team.module.css';

export const shows: Shows = ['teamText', 'teamItem'];

export default function Team({ content }: SectionProps) {
  const heading = only(content.teamText ?? []);
  const people = content.teamItem ?? [];
  if (people.length === 0) return null;
  return (
    <Section layout="split">
      <SectionHeading title={heading?.teamHeading} text={heading?.teamText} />
      <ul className={css['people']}>
        {people.map((person) => (
          <li key={person._id}>
            <Picture
              src={person.teamMemberImg}
              media={content.media}
              sizes="(min-width: 44rem) 18rem, 50vw"
              className={css['portrait']}
            />
            {person.teamMemberName !== '' && <h3>{person.teamMemberName}</h3>}
            <p className={css['role']}>{person.teamMemberTitle}</p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
