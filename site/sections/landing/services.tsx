/** The services on the landing page. The service page has their details (service-details.tsx). */
import { linkTo } from '#contract/screens.ts';
import { only } from '#contract/sections/index.ts';
import { Icon } from '#site/ui/icon.tsx';
import { Section } from '../section.tsx';
import { ArrowLink } from '../arrow-link.tsx';
import { Picture } from '../picture.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import details from '../details.module.css';
import headingCss from '../section-heading.module.css';
import service from '../service.module.css';
import css from './services.module.css';

export const shows: Shows = ['serviceText', 'serviceItem'];

export function Services({ content }: SectionProps) {
  const heading = only(content.serviceText ?? []);
  const items = content.serviceItem ?? [];
  if (items.length === 0) return null;
  return (
    <Section id="services-sec" layout="split">
      <div className={headingCss['heading']}>
        <SectionHeading title={heading?.serviceHeading} text={heading?.servicesubHeading} />
        <div>
          <ArrowLink href={linkTo('service')} text={heading?.serviceLinkText} />
        </div>
      </div>
      <ul className={css['items']}>
        {items.map((item) => (
          <li key={item._id} className={css['item']}>
            <span className={css['icon']}>
              <Icon name={item.serviceIcon} size={28} />
            </span>
            <div className={css['words']}>
              {item.serviceName && <p className={service['name']}>{item.serviceName}</p>}
              <h3>{item.serviceTitle}</h3>
              <p className={details['text']}>{item.serviceDetails}</p>
              <Picture
                src={item.serviceImg}
                media={content.media}
                sizes="(min-width: 44rem) 25rem, 100vw"
                className={service['image']}
              />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
