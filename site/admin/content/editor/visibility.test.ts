import { expect, test } from 'vitest';
import { isInvisibleOn } from './visibility.ts';

/** An image in which a number of pixels have a color and the others are transparent. */
const drawing = (...parts: readonly (readonly [count: number, ...rgba: number[]])[]) =>
  new Uint8ClampedArray([
    ...Array.from({ length: 400 }, () => 0),
    ...parts.flatMap(([count, ...rgba]) => Array.from({ length: count }, () => rgba).flat()),
  ]);

const dark = [16, 33, 27, 255] as const;
const white = [255, 255, 255, 255] as const;
const blue = [90, 140, 255, 255] as const;

test('A dark logo is invisible on a dark page, a white one on a light page, and a logo of medium brightness is visible on both', () => {
  const seen = (pixels: Uint8ClampedArray) =>
    (['light', 'dark'] as const).filter((scheme) => !isInvisibleOn(scheme, pixels));
  expect(seen(drawing([100, ...dark]))).toEqual(['light']);
  expect(seen(drawing([100, ...white]))).toEqual(['dark']);
  expect(seen(drawing([100, ...blue]))).toEqual(['light', 'dark']);
  // Its words are invisible, but its small mark is not.
  expect(seen(drawing([80, ...dark], [20, ...blue]))).toEqual(['light']);
  expect(seen(drawing([20, ...dark], [80, ...blue]))).toEqual(['light', 'dark']);
  // Almost transparent pixels are hardly visible.
  expect(seen(drawing([100, ...blue], [100, 0, 0, 0, 5]))).toEqual(['light', 'dark']);
  expect(seen(drawing())).toEqual(['light', 'dark']);
});
