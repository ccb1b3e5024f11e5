/** The widths in which the library stores a picture. */
import { smallerWidths, variantPath } from '#contract/media.ts';
import type { RecordOf } from '#contract/sections/index.ts';

export type Media = RecordOf<'media'>;

/** The attributes that let a browser select the width that it needs, for raster images. */
export function widthsOf({ path, type, width }: Media, sizes: string) {
  const smaller = smallerWidths(Number(width)).map((one) => `${variantPath(path, one)} ${one}w`);
  if (type === 'image/svg+xml' || type === 'image/gif' || smaller.length === 0) return {};
  return { sizes, srcSet: [...smaller, `${path} ${width}w`].join(', ') };
}
