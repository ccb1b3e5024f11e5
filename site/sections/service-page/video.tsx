/** A poster that links to the video. The page itself loads nothing from a third party. */
import { Play } from 'lucide-react';
import { only } from '#contract/sections/index.ts';
import { Icon } from '#site/ui/icon.tsx';
import { Section } from '../section.tsx';
import { Picture } from '../picture.tsx';
import { safeHref } from '#site/ui/safe-link.tsx';
import { SectionHeading } from '../section-heading.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import details from '../details.module.css';
import css from './video.module.css';

export const shows: Shows = ['videoText', 'videoItem'];

export default function Video({ content }: SectionProps) {
  const video = only(content.videoText ?? []);
  const items = content.videoItem ?? [];
  const href = safeHref(video?.videoLink);
  if (href === undefined && items.length === 0) return null;
  return (
    <Section tone="deep">
      <SectionHeading title={video?.headingVideo} />
      <div className={css['columns']}>
        {video && href !== undefined && (
          <a href={href} className={css['poster']} rel="noopener">
            <Picture
              src={video.videoImage}
              media={content.media}
              sizes="(min-width: 48rem) 37rem, 100vw"
              className={css['image']}
            />
            <span className={css['play']}>
              <Play size="1.75rem" />
              <span className="visually-hidden">Watch the video: {video.headingVideo}</span>
            </span>
          </a>
        )}
        {items.length > 0 && (
          <ul className={css['items']}>
            {items.map((item) => (
              <li key={item._id} className={css['item']}>
                <Icon name={item.videoItemIcon} size={26} />
                <div>
                  <h3>{item.videoItemTitle}</h3>
                  <p className={details['text']}>{item.videoItemDetails}</p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </div>
    </Section>
  );
}
