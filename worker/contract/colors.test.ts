import { expect, test } from 'vitest';
import {
  accentProblem,
  contrastOf,
  nearestAccent,
  paletteOf,
  textContrast,
  type ColorName,
} from './colors.ts';

const hexOf = (channels: readonly number[]) =>
  `#${channels.map((channel) => channel.toString(16).padStart(2, '0')).join('')}`;
/** Colors from the whole RGB cube, including black, white, gray and the most vivid ones. */
const steps = [0, 51, 102, 153, 204, 255];
const everyColor = steps.flatMap((r) => steps.flatMap((g) => steps.map((b) => hexOf([r, g, b]))));

const texts: Readonly<Partial<Record<ColorName, readonly ColorName[]>>> = {
  ink: ['paper', 'surface', 'sunken', 'accent-soft'],
  'ink-soft': ['paper', 'surface', 'sunken', 'accent-soft'],
  accent: ['paper', 'surface', 'sunken', 'accent-soft'],
  'accent-strong': ['paper', 'surface', 'sunken'],
  'on-accent': ['accent', 'accent-strong'],
  'on-deep': ['deep', 'deep-raised'],
  'on-deep-soft': ['deep', 'deep-raised'],
  'deep-accent': ['deep', 'deep-raised'],
  'on-deep-accent': ['deep-accent'],
};

test('With any accent, text and edges of controls have the contrast that WCAG AA requires, in both schemes', () => {
  const faults: string[] = [];
  for (const color of everyColor)
    for (const scheme of ['light', 'dark'] as const) {
      const palette = paletteOf(nearestAccent(color), scheme);
      const check = (name: ColorName, ground: ColorName, least: number) => {
        const contrast = contrastOf(palette[name], palette[ground]);
        if (contrast < least) faults.push(`${color} ${scheme}: ${name} on ${ground} has ${contrast}`);
      };
      for (const [name, grounds] of Object.entries(texts))
        for (const ground of grounds) check(name as ColorName, ground, textContrast);
      for (const ground of ['paper', 'surface', 'sunken'] as const) check('line-strong', ground, 3);
    }
  expect(faults).toEqual([]);
});

test('An accent that is readable on a light page is used unchanged, and any other has a similar readable one', () => {
  expect(accentProblem('#1a4fd6')).toBeUndefined();
  expect(paletteOf('#1A4FD6', 'light').accent).toBe('#1a4fd6');
  expect(accentProblem('#ffcc00')).toMatch(/1\.4 to 1.*The nearest color that works is #8c6f02\.$/);
  expect(accentProblem('#777777')).toMatch(/4\.3 to 1.*#747474\.$/);
  expect(accentProblem('blue')).toBe('Use a six-digit color, such as #1a4fd6.');
  for (const nearest of everyColor.map(nearestAccent)) {
    expect(accentProblem(nearest), nearest).toBeUndefined();
    expect(paletteOf(nearest, 'light').accent).toBe(nearest);
  }
});
