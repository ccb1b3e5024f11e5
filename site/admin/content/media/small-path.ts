/** The thumbnail of a picture in the editor's lists. */
import { smallerWidths, variantPath } from '#contract/media.ts';
import type { Values } from '../content-calls.ts';

/** The smallest file that shows the picture. @param picture a record of the library */
export function smallPath({ path = '', type, width }: Values): string {
  const [smallest] = smallerWidths(Number(width));
  return smallest === undefined || type === 'image/svg+xml' || type === 'image/gif'
    ? path
    : variantPath(path, smallest);
}
