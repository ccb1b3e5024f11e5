/** The logo that leads home; a plain word until there is one. */
import { linkTo } from '#contract/screens.ts';
import { only } from '#contract/sections/index.ts';
import { Picture } from '../picture.tsx';
import { safeSrc } from '#site/ui/safe-link.tsx';
import type { SectionProps } from '../section-props.ts';
import css from './logo.module.css';

export function Logo({ content }: SectionProps) {
  const src = safeSrc(only(content.logo ?? [])?.logo);
  return (
    <a href={linkTo('home')} className={css['logo']} aria-label="Home">
      {src === undefined ? (
        'Home'
      ) : (
        <Picture src={src} media={content.media} sizes="10rem" className={css['image']} when="now" />
      )}
    </a>
  );
}
