import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { accentStyles, defaultAccent, paletteOf, referenceColors } from '#contract/colors.ts';

test('The accent of the style sheet produces the colors of the style sheet, so it needs no additional rules', async () => {
  const css = await readFile(join(import.meta.dirname, 'tokens.css'), 'utf8');
  const [light = '', dark = ''] = css.split('@media screen and (prefers-color-scheme: dark)');
  const valueIn = (part: string, name: string) =>
    new RegExp(`--${name}: (#[0-9a-f]+);`).exec(part)?.[1]?.replace(/^#(.)(.)(.)$/, '#$1$1$2$2$3$3');
  for (const [name, [inLight, inDark]] of Object.entries(referenceColors)) {
    expect(valueIn(light, name), name).toBe(inLight);
    expect(valueIn(dark, name) ?? inLight, name).toBe(inDark);
  }
  expect(paletteOf(defaultAccent, 'dark')).toEqual(
    Object.fromEntries(Object.entries(referenceColors).map(([name, [, inDark]]) => [name, inDark])),
  );
  expect(accentStyles(defaultAccent)).toBe('');
  expect(accentStyles('#ffcc00')).toBe('');
  expect(accentStyles('#1a4fd6')).toMatch(/^html:root\{--paper:.*--accent:#1a4fd6;.*\}\}$/);
});
