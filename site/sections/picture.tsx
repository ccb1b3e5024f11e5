/** A picture of the content: one of the library in the size that the window needs, or any other as its address gives it. */
import { classNames } from '#site/ui/class-names.ts';
import { safeSrc } from '../ui/safe-link.tsx';
import { widthsOf, type Media } from './picture-widths.ts';
import css from './picture.module.css';

export interface PictureProps {
  readonly src: string | undefined;
  /** The library, which says what a picture shows, how large it is, and where its subject stands. */
  readonly media: readonly Media[] | undefined;
  /** How wide it stands, as the attribute of that name says it. */
  readonly sizes: string;
  /** Sets the aspect ratio, so that the page does not move when the picture comes. */
  readonly className: string | undefined;
  /** When it is fetched: as it comes near, with the page, or before all else, as the largest picture of the first view. */
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

/** Nothing without an address. A picture that is not described is decoration: the text beside it says what it says. */
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
