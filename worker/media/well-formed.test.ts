import { expect, test } from 'vitest';
import { readDrawing } from './well-formed.ts';

const root = '<svg xmlns="http://www.w3.org/2000/svg">';
const drawing = (inside: string) => `${root}${inside}</svg>`;

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
  ['a style with a lone >', drawing('<style>g > path { fill: red }</style>')],
  ['characters by number', drawing('<text>&#9;&#x10FFFF;&#0000065;</text>')],
  ['a name in another script', drawing('<größe 名="1"/>')],
  ['a prefix for its own elements', '<s:svg xmlns:s="http://www.w3.org/2000/svg"><s:g/></s:svg>'],
  ['an instruction and white space at both ends', `<?a b?>${root}</svg\n><?a b?> <!-- a -->`],
  ['a thousand levels', drawing('<g>'.repeat(999) + '</g>'.repeat(999))],
])('%s is drawn', (_, text) => {
  expect(readDrawing(text).size).toBeGreaterThan(0);
});

test.each([
  ['no namespace', '<svg><g/></svg>', 'line 1 does not say xmlns="http://www.w3.org/2000/svg" in its <svg>'],
  ['capital letters', '<SVG xmlns="http://www.w3.org/2000/svg"/>', 'line 1 writes <SVG> for <svg>'],
  [
    'an unbound prefix',
    drawing('\n<use xlink:href="#a"/>'),
    'line 2 uses “xlink:href”, but no xmlns:xlink says what “xlink” is',
  ],
  ['a prefix bound elsewhere', drawing('<g xmlns:a="b"/><a:g/>'), 'line 1 uses “a:g”, but no xmlns:a says'],
  ['an entity of HTML', drawing('<text>&nbsp;</text>'), 'line 1 uses &nbsp;, which SVG does not define'],
  ['an entity in an attribute', drawing('<g id="&eacute;"/>'), 'line 1 uses &eacute;'],
  ['a lone &', drawing('<text>A & B</text>'), 'line 1 has a lone & sign: write &amp;'],
  ['a lone <', drawing('<text>1 < 2</text>'), 'line 1 has a lone < sign'],
  ['an unclosed tag', drawing('\n\n<g><path></g>'), 'line 3 closes <g> while <path> is open'],
  ['an unclosed root', `${root}<g/>`, 'line 1 opens a <svg> that nothing closes'],
  ['an attribute twice', drawing('<g id="a" id="b"/>'), 'line 1 says “id” twice in one <g>'],
  ['an unended comment', drawing('<!-- a'), 'line 1 has a <!-- without -->'],
  ['hyphens in a comment', drawing('<!-- a -- b -->'), 'line 1 has two hyphens within a comment'],
  ['text behind the root', `${drawing('')}a`, 'line 1 has text outside its <svg>'],
  ['a second root', drawing('') + drawing(''), 'line 1 goes on after </svg>'],
  ['a late declaration', `\n<?xml version="1.0"?>${drawing('')}`, 'line 2 has a wrong <?…?>'],
  ['a control character', drawing('\u0001'), 'line 1 has a control character'],
  [
    'the end of literal text in a text',
    drawing('<text>a ]]> b</text>'),
    'line 1 has ]]> in a text: write ]]&gt;',
  ],
  [
    'an entity in capital letters',
    drawing('<text>&AMP;</text>'),
    'line 1 uses &AMP;, which SVG does not define',
  ],
  [
    'more than a thousand levels',
    drawing('<g>'.repeat(60_000)),
    'line 1 nests elements more than 1,000 deep',
  ],
  ['a sign of multiplication for a name', drawing('<×/>'), 'line 1 has a lone < sign'],
  ['a reserved prefix in use', drawing('<xmlns:g/>'), 'line 1 uses “xmlns:g”'],
  [
    'an attribute twice, under two prefixes',
    drawing('<g xmlns:a="u" xmlns:b="u" a:x="1" b:x="2"/>'),
    'line 1 says “a:x” and “b:x” in one <g>, which mean the same',
  ],
  ['literal text behind the root', `${drawing('')}<![CDATA[a]]>`, 'line 1 has text outside its <svg>'],
])('A drawing with %s is blank in a browser, and the reason is given', (_, text, reason) => {
  expect(() => readDrawing(text)).toThrow(reason);
});

test.each([
  '<g id=a/>',
  '<g hidden/>',
  '<g id="a/>',
  '<g id="a"class="b"/>',
  '<g @click="a"/>',
  '<g\u00a0id="a"/>',
  '<g a:b:c="d"/>',
  '<g <path/>',
])('A mistake in a tag, such as %j, is found', (tag) => {
  expect(() => readDrawing(drawing(tag))).toThrow('line 1 has a mistake in a <g>');
});

test.each([
  ...['<g></g id="a">', '<g></ g>'].map((inside) => [
    drawing(inside),
    'an end tag that is not written right',
  ]),
  ...['xmlns:a=""', 'xmlns:xml="a"', 'xmlns:a="a b"'].map((declared) => [
    drawing(`<g ${declared}/>`),
    `says ${declared}, which XML does not allow`,
  ]),
  ...['<? a?>', '<?xml encoding="utf-8"?>'].map((wrong) => [wrong + drawing(''), 'has a wrong <?…?>']),
  ...[
    drawing('<!DOCTYPE svg>'),
    drawing('<!ELEMENT a>'),
    `<!DOCTYPE svg><!DOCTYPE svg>${drawing('')}`,
    `<!DOCTYPE svg ${drawing('')}`,
    `<!DOCTYPE svg [<!ENTITY a "b">]>${drawing('')}`,
  ].map((wrong) => [wrong, 'has a <!DOCTYPE> that is not written right, or not before its <svg>']),
])('%j is blank in a browser', (text, reason) => {
  expect(() => readDrawing(text)).toThrow(reason);
});

test.each(['&#1;', '&#0;', '&#xD800;', '&#xFFFE;', '&#x110000;', `&#${'9'.repeat(400)};`])(
  'A character that no SVG holds is refused by its number %s too',
  (reference) => {
    for (const inside of [reference, `<g id="${reference}"/>`])
      expect(() => readDrawing(drawing(inside))).toThrow('which stands for a character that no SVG may hold');
  },
);

test.each(['', ' ', '<g', '<g ', '<g id', '<g id=', '<g id="a', '<', '</', '</svg', '<g/>'])(
  'A drawing that ends with %j was cut off',
  (end) => {
    expect(() => readDrawing(root + end)).toThrow(expect.objectContaining({ isCutOff: true }));
  },
);
