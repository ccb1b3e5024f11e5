/** A picture in the content: from the library in the size that the window needs, or from any other URL. */
import { classNames } from '#site/ui/class-names.ts';
import { safeSrc } from '../ui/safe-link.tsx';
import { widthsOf, type Media } from './picture-widths.ts';
import css from './picture.module.css';

interface PictureProps {
  readonly src: string | undefined;
  /** The library, which has each picture's description, size and focal point. */
  readonly media: readonly Media[] | undefined;
  /** The displayed width, in the format of the `sizes` attribute. */
  readonly sizes: string;
  /** The aspect ratio, which prevents layout shifts while the picture loads. */
  readonly className: string | undefined;
  /** When it loads: near the viewport, with the page, or first, as the largest picture of the first view. */
  readonly when?: 'near' | 'now' | 'first';
}

/** Inside a `<picture>`: the source for the dark scheme. Print uses the light one, because paper is white. */
export function DarkSource({ src, media = [], sizes }: Pick<PictureProps, 'src' | 'media' | 'sizes'>) {
  const known = media.find(({ path }) => path === src);
  return (
    <source
      media="screen and (prefers-color-scheme: dark)"
      srcSet={src}
      {...(known && widthsOf(known, sizes))}
    />
  );
}

/** Renders nothing without a URL. A picture without a description is decorative. */
export function Picture({ src, media = [], sizes, className, when = 'near' }: PictureProps) {
  const safe = safeSrc(src);
  if (safe === undefined) return null;
  const known = media.find(({ path }) => path === safe);
  return (
    <img
      src={safe}
      {...(known && {
        ...widthsOf(known, sizes),
        ...(known.width !== '' && { width: known.width, height: known.height }),
      })}
      alt={known?.alt ?? ''}
      className={classNames(className, known && css[known.focus.replace(' ', '-')])}
      decoding="async"
      {...(when === 'near' && { loading: 'lazy' })}
      {...(when === 'first' && { fetchPriority: 'high' })}
    />
  );
}
