import { expect, test } from 'vitest';
import { inspectSvg } from './inspect-svg.ts';

const root = '<svg xmlns="http://www.w3.org/2000/svg">';
const drawing = (inside: string) => `${root}${inside}</svg>`;
const inspect = (text: string) => inspectSvg(new TextEncoder().encode(text));

test.each([
  [
    'an export of Illustrator',
    `<?xml version="1.0" encoding="utf-8"?>\n<!-- Generator: Adobe Illustrator -->\n<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">\n` +
      `<svg version="1.1" xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" xml:space="preserve">` +
      `<style type="text/css"><![CDATA[ g > path { fill: red } ]]></style><use xlink:href="#a"/>\n</svg>\n`,
  ],
  [
    'an export of Inkscape',
    `<svg\n   xmlns:inkscape="http://www.inkscape.org/namespaces/inkscape"\n   xmlns="http://www.w3.org/2000/svg">` +
      `<inkscape:grid id = 'a' /><text>A &amp; B &#8211; &#x2014; größer</text></svg>`,
  ],
  ['a drawing with a prefix for its elements', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>'],
  ['a drawing of a thousand levels', drawing('<g>'.repeat(999) + '</g>'.repeat(999))],
  ['a very long drawing', drawing('<path d="M1 2"/>'.repeat(100_000))],
])('%s is accepted', (_, text) => {
  expect(inspect(text)).toEqual({});
});

test.each([
  ['<svg><g/></svg>', 'Line 1: the first element must be <svg xmlns="http://www.w3.org/2000/svg">.'],
  ['<SVG xmlns="http://www.w3.org/2000/svg"/>', 'Line 1: the first element must be'],
  [drawing('\n<use xlink:href="#a"/>'), 'Line 2: unbound namespace prefix: "xlink".'],
  [drawing('<text>&nbsp;</text>'), 'Line 1: undefined entity.'],
  [drawing('<text>A & B</text>'), 'an & is not written as &amp;'],
  [drawing('\n\n<g><path></g>'), 'Line 3: unexpected close tag.'],
  [drawing('<g id="a" id="b"/>'), 'Line 1: duplicate attribute: id.'],
  [drawing('<g id=a/>'), 'Line 1: unquoted attribute value.'],
  [drawing('<!-- a'), 'A tag or a comment is not closed'],
  [`${drawing('')}a`, 'Line 1: text data outside of root node.'],
  [
    `\n<?xml version="1.0"?>${drawing('')}`,
    'Line 2: an XML declaration must be at the start of the document.',
  ],
  [drawing('\u0001'), 'Line 1: disallowed character.'],
  [drawing('<g>'.repeat(60_000)), 'Line 1: elements are nested more than 1,000 deep.'],
])('An administrator learns why browsers draw nothing for %j', (text, reason) => {
  expect(() => inspect(text)).toThrow(reason);
});

test.each(['', ' ', '<g', '<g id="a', '<', '</svg', '<g/>', '<path d="M1 2"/>'.repeat(100_000)])(
  'A drawing that ends with %j was cut off',
  (end) => {
    expect(() => inspect(root + end)).toThrow('cut off');
  },
);
