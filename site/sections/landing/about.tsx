import { Check } from 'lucide-react';
import { only } from '#contract/sections/index.ts';
import { Section } from '../section.tsx';
import { ArrowLink } from '../arrow-link.tsx';
import { Picture } from '../picture.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import details from '../details.module.css';
import iconLine from '../icon-line.module.css';
import css from './about.module.css';

export const shows: Shows = ['about'];

export default function About({ content }: SectionProps) {
  const about = only(content.about ?? []);
  if (!about) return null;
  const points = [about.aboutPointone, about.aboutPointwo, about.aboutPointhree].filter(Boolean);
  const pictures = [about.aboutImgOne, about.aboutImg].filter(Boolean);
  return (
    <Section id="about-sec" layout={pictures.length > 0 ? 'halves' : 'stack'}>
      {pictures.length > 0 && (
        <div className={css['pictures']}>
          {pictures.map((src, index) => (
            <Picture
              key={index}
              src={src}
              media={content.media}
              sizes="(min-width: 60rem) 36rem, 100vw"
              className={css['picture']}
            />
          ))}
        </div>
      )}
      <div className={css['words']}>
        <SectionHeading eyebrow={about.aboutText} title={about.aboutHeading} />
        <p className={details['long']}>{about.aboutDetails}</p>
        {points.length > 0 && (
          <ul className={css['points']}>
            {points.map((point, index) => (
              <li key={index} className={iconLine['line']}>
                <Check size="1.375rem" />
                <span>{point}</span>
              </li>
            ))}
          </ul>
        )}
        <div>
          <ArrowLink href={about.aboutLink} text={about.aboutLinkText} />
        </div>
      </div>
    </Section>
  );
}
