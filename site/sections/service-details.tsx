/** What the firm does, on the service page: each service with how it is done and what the customer receives. */
import { only } from '#contract/sections/index.ts';
import { Icon } from '#site/ui/icon.tsx';
import { Section } from './section.tsx';
import { Picture } from './picture.tsx';
import { SectionHeading } from './section-heading.tsx';
import type { SectionProps } from './section-props.ts';
import css from './service-details.module.css';
import service from './service.module.css';

export function ServiceDetails({ content }: SectionProps) {
  const heading = only(content.serviceText ?? []);
  const items = content.serviceItem ?? [];
  if (items.length === 0) return null;
  return (
    <Section>
      <SectionHeading
        title={heading?.serviceHeading}
        text={heading?.servicePageText || heading?.servicesubHeading}
      />
      <ul className={css['items']}>
        {items.map((item) => (
          <li key={item._id} className={css['item']}>
            <div className={css['title']}>
              <Icon name={item.serviceIcon} size={28} />
              <div className={css['words']}>
                <h3>{item.serviceTitle}</h3>
                {item.serviceName && <p className={service['name']}>{item.serviceName}</p>}
              </div>
            </div>
            <p className={service['details']}>{item.serviceMore || item.serviceDetails}</p>
            <div className={css['words']}>
              {item.serviceResult && (
                <>
                  <p className={service['name']}>You receive</p>
                  <p>{item.serviceResult}</p>
                </>
              )}
              <Picture
                src={item.serviceImg}
                media={content.media}
                sizes="(min-width: 60rem) 20rem, 100vw"
                className={service['image']}
              />
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
