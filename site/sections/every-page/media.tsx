/** A picture in the shapes that pages crop it to, as the preview of its focal point. */
import { Picture } from '../picture.tsx';
import type { SectionProps, Shows } from '../section-props.ts';
import css from './media.module.css';

export const shows: Shows = ['media'];

export default function Media({ content: { media = [] } }: SectionProps) {
  if (media.length === 0) return null;
  return (
    <ul className={`wrap ${css['pictures'] ?? ''}`}>
      {media.map((picture) => (
        <li key={picture._id} className={css['shapes']}>
          <Picture src={picture.path} media={media} sizes="20rem" className={css['wide']} />
          <Picture src={picture.path} media={media} sizes="10rem" className={css['square']} />
        </li>
      ))}
    </ul>
  );
}
