/** The top of the landing page: the promise, one button, the lowest price, and a sample report. */
import { displayPackagePrice } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { only } from '#contract/sections/index.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { inCardOrder } from '../packages.ts';
import { Picture } from '../picture.tsx';
import { safeHref, safeSrc } from '#site/ui/safe-link.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import heading from '../section-heading.module.css';
import css from './banner.module.css';

export const shows: Shows = ['banner'];

const sampleReportPath = `${linkTo('service')}#sample-report`;

export default function Banner({ content }: SectionProps) {
  const banner = only(content.banner ?? []);
  if (!banner) return null;
  const href = safeHref(banner.buttonURL);
  const [cheapest] = inCardOrder(content.pricingPackage ?? []);
  return (
    <section className={css['banner']}>
      <div className={css['words']}>
        {banner.bannerText && <p className={heading['eyebrow']}>{banner.bannerText}</p>}
        <h1 className={css['promise']}>{banner.bannerHeading}</h1>
        <p className={css['details']}>{banner.bannerDetails}</p>
        {href !== undefined && banner.buttonText && (
          <LinkButton href={href} className={css['button']}>
            {banner.buttonText}
          </LinkButton>
        )}
        <p>
          {cheapest && (
            <>
              <strong>From {displayPackagePrice(cheapest)}</strong> {cheapest.packageTerms}
              <br />
            </>
          )}
          {only(content.sampleReport ?? []) && <a href={sampleReportPath}>See a sample report</a>}
        </p>
      </div>
      {safeSrc(banner.imageOne) !== undefined && (
        <picture className={css['sheet']}>
          <StillSource src={banner.imageOne} />
          <Picture
            src={banner.imageOne}
            media={content.media}
            sizes="(min-width: 60rem) 40vw, 40rem"
            className={css['image']}
            when="first"
          />
        </picture>
      )}
    </section>
  );
}

/**
 * For visitors who prefer reduced motion: the view `#still` of an animated SVG, which shows its final state. It is
 * needed because not every browser applies that preference inside images. An SVG without this view is shown
 * unchanged.
 */
function StillSource({ src }: { readonly src: string }) {
  const safe = safeSrc(src);
  return safe?.endsWith('.svg') === true ? (
    <source media="(prefers-reduced-motion: reduce)" srcSet={`${safe}#still`} />
  ) : null;
}
