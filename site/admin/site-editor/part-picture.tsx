/**
 * The small picture of a section in the tree: a copy of the drawing of its part of the page (draw-parts.ts).
 */
import { makeStore } from '#site/app/store.ts';
import css from './tree.module.css';

/** The pictures by section name and page, because a section may look different on two pages. */
export const pictures = makeStore<ReadonlyMap<string, HTMLCanvasElement>>(new Map());

/** @param of the key of a picture; the space is empty until the picture is drawn */
export function PartPicture({ of }: { readonly of: string }) {
  const picture = pictures.useValue().get(of);
  return (
    <span className={css['picture']} aria-hidden="true">
      {picture && (
        <canvas
          ref={(canvas) => canvas?.getContext('2d')?.drawImage(picture, 0, 0)}
          width={picture.width}
          height={picture.height}
        />
      )}
    </span>
  );
}
