import { only } from '#contract/sections/index.ts';
import { Icon } from '#site/ui/icon.tsx';
import { Section } from '../section.tsx';
import { Picture } from '../picture.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import iconLine from '../icon-line.module.css';
import details from '../details.module.css';
import css from './features.module.css';

export const shows: Shows = ['featuresText', 'featureItem'];

export default function Features({ content }: SectionProps) {
  const heading = only(content.featuresText ?? []);
  const items = content.featureItem ?? [];
  if (items.length === 0) return null;
  return (
    <Section>
      <SectionHeading eyebrow={heading?.FeaturesText} title={heading?.FeaturesHeading} />
      <ul className={css['items']}>
        {items.map((item) => (
          <li key={item._id} className={css['item']}>
            <Picture
              src={item.FeaturesImg}
              media={content.media}
              sizes="(min-width: 48rem) 25rem, 100vw"
              className={css['image']}
            />
            <div className={css['words']}>
              <h3 className={iconLine['line']}>
                <Icon name={item.FeaturesIcon} size={26} />
                <span>{item.FeaturesText}</span>
              </h3>
              <p className={details['text']}>{item.FeaturesDesc}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
