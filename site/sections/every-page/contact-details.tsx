import { Section } from '../section.tsx';
import { Picture } from '../picture.tsx';
import { classNames } from '#site/ui/class-names.ts';
import { ContactLine } from '#site/ui/safe-link.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './contact-details.module.css';

export const shows: Shows = ['contactDetail'];

export default function ContactDetails({ content }: SectionProps) {
  const ways = content.contactDetail ?? [];
  if (ways.length === 0) return null;
  return (
    <Section label="Ways to reach us">
      <ul className={css['ways']}>
        {ways.map((way) => (
          <li key={way._id} className={css['way']}>
            <Picture src={way.contactImg} media={content.media} sizes="3.5rem" className={css['image']} />
            <h2 className={css['title']}>{way.contactTitle}</h2>
            <div className={classNames('targets', css['lines'])}>
              {way.contactDetails.split('\n').map((line, index) => (
                <p key={index}>
                  <ContactLine text={line} />
                </p>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
