/**
 * Parsers of typed or uploaded bytes take time proportional to the length, whatever the input. Each parser gets
 * hundreds of thousands of bytes of its worst case. With quadratic time, these tests would never finish, and the
 * watchdog of the test run would report them.
 */
import { expect, test } from 'vitest';
import { normalizeEmail, isEmail } from '#contract/account-rules.ts';
import { isSafeAddress } from '#contract/addresses.ts';
import { problemOf, withoutHidden } from '#contract/field-problems.ts';
import { mediaPath } from '#contract/media.ts';
import { parsePriceCents } from '#contract/money.ts';
import type { Field, Section } from '#contract/section.ts';
import { sections } from '#contract/sections/index.ts';
import { webAddressOf } from '#contract/plans.ts';
import { fileTypeOf, headBytes, tailBytes } from './fulfillment/file-type.ts';
import { fullTextQuery } from './customers/search-terms.ts';
import { csvCell } from './http/csv.ts';
import { ApiError } from './http/errors.ts';
import { htmlToText } from './mail/html-text.ts';
import { splitQuoted } from './mail/quoted-text.ts';
import { inspect } from './media/inspect.ts';
import { inspectSvg } from './media/inspect-svg.ts';

const length = 200_000;
const bytes = (letters: string) => Uint8Array.from(letters, (letter) => letter.charCodeAt(0));
const fill = (part: string) => part.repeat(Math.ceil(length / part.length));

const fields: readonly Field[] = Object.values(sections)
  .flatMap((section: Section) => Object.values(section.fields))
  .filter(({ kind }, index, all) => all.findIndex((other) => other.kind === kind) === index);

const svg = '<svg xmlns="http://www.w3.org/2000/svg">';
const parts = [
  ...['<!--', '<!---->', '<![CDATA[', '<?', '<!', '&', '&a', '<', '<g>', '<g', '</g', '</g>'],
  ...[
    '<g a="',
    '<g a=""',
    '<g a:a=""',
    '<g xmlns:a="">',
    '<g xmlns:a=""/>',
    '-->',
    ' ',
    '>',
    'a',
    '\n',
    '<a:',
  ],
];

test.each(parts)('An SVG that contains only %j is checked in linear time', (part) => {
  for (const text of [svg + fill(part), `${svg}<g ${fill(part)}`])
    expect(() => inspectSvg(bytes(text))).toThrow(/cannot draw this SVG|cut off/);
});

test('An SVG with very many attributes, prefixes, references or elements is checked in linear time', () => {
  const many = Array.from({ length: 50_000 }, (_, index) => `a${index}=""`).join(' ');
  const prefixes = Array.from({ length: 50_000 }, (_, index) => `xmlns:a${index}="b"`).join(' ');
  for (const inside of ['<g></g>'.repeat(1e5), '&#65;'.repeat(1e5)])
    expect(inspectSvg(bytes(`${svg}${inside}</svg>`))).toEqual({});
  for (const inside of [many, prefixes])
    expect(() => inspectSvg(bytes(`${svg}<g ${inside}/></svg>`))).toThrow('more than 10,000 attributes');
  expect(() => inspectSvg(bytes(svg + '<g>'.repeat(1e5)))).toThrow('nested more than 1,000 deep');
});

test.each([
  ['PNG', '\x89PNG\r\n\x1a\n', '\0\0\0\0aaaaCRC.'],
  ['JPEG of empty segments', '\xff\xd8', '\xff\xe0\0\0'],
  ['JPEG of filling', '\xff\xd8\xff', '\xff'],
  ['JPEG without its end', '\xff\xd8\xff\xc0\0\x08\x08\0\x01\0\x01\xff\xda', '\xff\xd8'],
  ['GIF', 'GIF89a\x01\0\x01\0\0\0\0', '!\xff\x01\0\0'],
  ['WebP', 'RIFF\xff\xff\xff\xffWEBPVP8 ', 'RIFF'],
  ['SVG of comments', svg, '<!---->'],
  ['SVG that ends with ends of comments', `${svg}</svg>`, '-->'],
  ['SVG with a root of spaces', '<svg xmlns="http://www.w3.org/2000/svg"', ' width'],
  ['file that could be a drawing', '<?xml ', '?><!---->'],
])('A long %s that is incomplete is refused', (_, start, part) => {
  const file = bytes(start + fill(part));
  expect(() => inspect(file, 'a', '')).toThrow(ApiError);
});

test.each(['PK\x01\x02', 'PK\x03\x04', 'word/', '<!--', '<!DOCTYPE svg ', '\0\0\0\xffftypmif1'])(
  'The type of a file that contains only %j is detected',
  (part) => {
    const file = bytes(fill(part));
    expect(fileTypeOf(file.subarray(0, headBytes), file.subarray(-tailBytes))).toMatch(/\//);
  },
);

test.each([
  ' ',
  '\t',
  '.',
  '@',
  'a',
  '1',
  '=',
  ';',
  '"',
  '-',
  '&',
  '/',
  '/.',
  '%',
  '\\',
  '\u200b',
  'é',
  '0e',
  'a@',
  'a.',
  '://',
])('A text that contains only %j is checked by every rule for typed text', (part) => {
  const whole = fill(part);
  for (const text of [whole, `${whole}x`, `/${whole}`, `https://${whole}`, `a@${whole}`]) {
    expect(csvCell(text)).not.toBe('');
    expect(isEmail(normalizeEmail(text))).toBe(false);
    expect(parsePriceCents(text)).toBeUndefined();
    expect(mediaPath('a', text, 'b', 'svg')).toMatch(/^\/media\/a\//);
    expect((fullTextQuery(withoutHidden(text)).match(/[^" *]+/g) ?? []).length).toBeLessThan(7);
    for (const kind of ['link', 'image'] as const) isSafeAddress(text, kind);
    webAddressOf(text);
    for (const field of fields) problemOf(field, text);
  }
});

test.each([
  ...[
    '<',
    '<!--',
    '<style>',
    '<script>',
    '<title></title',
    '<blockquote>',
    '</blockquote>',
    '<a',
    '<p>',
    '&',
    '&#',
  ],
  ...['> \n', '>\n', 'on a\n', 'on wrote', 'from: @', 'from: @@@\n', '-', '_', '\n', ' '],
])('An email that contains only %j is read', (part) => {
  for (const text of [fill(part), `${fill(part)}x`, `x${fill(part)}`]) {
    expect(htmlToText(text).length).toBeLessThan(2 * text.length);
    const { text: own, quoted } = splitQuoted(text);
    expect(own.length + quoted.length).toBeLessThanOrEqual(text.length);
  }
});
