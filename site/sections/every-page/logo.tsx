/** The logo with a link to the home page, in both schemes; the firm's name if there is no logo. */
import { firmNameIn } from '#contract/brand.ts';
import { linkTo } from '#contract/screens.ts';
import { DarkSource, Picture } from '../picture.tsx';
import { safeSrc } from '#site/ui/safe-link.tsx';
import type { SectionProps } from '../section-props.ts';

export function Logo({ content }: SectionProps) {
  const { logo = [], brand = [], media } = content;
  const src = safeSrc(logo[0]?.logo);
  const dark = safeSrc(brand[0]?.logoDark);
  const name = firmNameIn(content);
  return (
    <a
      href={linkTo('home')}
      className="logo"
      data-logo
      {...(src && { 'aria-label': name === '' ? 'Home' : `${name}, home` })}
    >
      {src === undefined ? (
        name || 'Home'
      ) : (
        <picture>
          {dark !== undefined && <DarkSource src={dark} media={media} sizes="10rem" />}
          <Picture src={src} media={media} sizes="10rem" className="logo-image" when="now" />
        </picture>
      )}
    </a>
  );
}
