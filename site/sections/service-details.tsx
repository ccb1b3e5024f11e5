/** The services on the service page: each with what the customer gets, and collapsible details. */
import { only } from '#contract/sections/index.ts';
import { Icon } from '#site/ui/icon.tsx';
import { Disclosure } from './disclosure.tsx';
import { Section } from './section.tsx';
import { Picture } from './picture.tsx';
import { SectionHeading } from './section-heading.tsx';
import type { SectionProps } from './section-props.ts';
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
      <div>
        {items.map((item) => (
          <Disclosure
            key={item._id}
            title={
              <>
                <Icon name={item.serviceIcon} size={26} />
                {item.serviceTitle}
              </>
            }
            note={
              item.serviceResult && (
                <>
                  <span className={service['name']}>You receive</span> {item.serviceResult}
                </>
              )
            }
          >
            {item.serviceName && <p className={service['name']}>{item.serviceName}</p>}
            <p>{item.serviceMore || item.serviceDetails}</p>
            <Picture
              src={item.serviceImg}
              media={content.media}
              sizes="(min-width: 60rem) 35rem, 100vw"
              className={service['image']}
            />
          </Disclosure>
        ))}
      </div>
    </Section>
  );
}
