/** What the firm does: the heading beside a ruled list. On the landing and service pages. */
import { only } from '#contract/sections/index.ts';
import { Icon } from '#components/icon.tsx';
import { Band } from '../band.tsx';
import { Picture } from '../picture.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './services.module.css';

export const shows: Shows = ['serviceText', 'serviceItem'];

export default function Services({ content }: SectionProps) {
  const heading = only(content.serviceText ?? []);
  const items = content.serviceItem ?? [];
  if (items.length === 0) return null;
  return (
    <Band id="services-sec" layout="split">
      <SectionHeading title={heading?.serviceHeading} text={heading?.servicesubHeading} />
      <ul className={css['items']}>
        {items.map((item) => (
          <li key={item._id} className={css['item']}>
            <span className={css['icon']}>
              <Icon name={item.serviceIcon} size={28} />
            </span>
            <div className={css['words']}>
              {item.serviceName && <p className={css['name']}>{item.serviceName}</p>}
              <h3>{item.serviceTitle}</h3>
              <p className={css['details']}>{item.serviceDetails}</p>
              <Picture
                src={item.serviceImg}
                media={content.media}
                sizes="(min-width: 44rem) 25rem, 100vw"
                className={css['image']}
              />
            </div>
          </li>
        ))}
      </ul>
    </Band>
  );
}
