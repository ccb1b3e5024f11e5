import { only } from '#contract/sections/index.ts';
import { Section } from '../section.tsx';
import { Picture } from '../picture.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './testimonials.module.css';

export const shows: Shows = ['testimonialText', 'testimonial'];

export default function Testimonials({ content }: SectionProps) {
  const heading = only(content.testimonialText ?? []);
  const items = content.testimonial ?? [];
  if (items.length === 0) return null;
  return (
    <Section id="testimonials">
      <SectionHeading eyebrow={heading?.testimonialText} title={heading?.testimonialHeading} />
      <ul className={css['items']}>
        {items.map((item) => (
          <li key={item._id}>
            <figure className={css['item']}>
              <blockquote className={css['words']}>{item.desc}</blockquote>
              <figcaption className={css['person']}>
                <Picture src={item.image} media={content.media} sizes="3.25rem" className={css['portrait']} />
                <span>
                  <strong>{item.personName}</strong>
                  <br />
                  {item.personTitle}
                </span>
              </figcaption>
            </figure>
          </li>
        ))}
      </ul>
    </Section>
  );
}
