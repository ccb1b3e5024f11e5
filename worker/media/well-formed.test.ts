import { expect, test } from 'vitest';
import { drawingFault } from './well-formed.ts';

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
])('%s is drawn', (_, text) => {
  expect(drawingFault(text)).toBeUndefined();
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
  ['an entity of HTML', drawing('<text>&nbsp;</text>'), 'line 1 uses &nbsp;, which no SVG knows'],
  ['an entity in an attribute', drawing('<g id="&eacute;"/>'), 'line 1 uses &eacute;'],
  ['a lone &', drawing('<text>A & B</text>'), 'line 1 has a lone & sign: write &amp;'],
  ['a lone <', drawing('<text>1 < 2</text>'), 'line 1 has a lone < sign'],
  ['an unclosed tag', drawing('\n\n<g><path></g>'), 'line 3 closes <g> while <path> is open'],
  ['an unclosed root', `${root}<g/>`, 'line 1 opens a <svg> that nothing closes'],
  [
    'an unquoted value',
    drawing('<g id=a/>'),
    'line 1 has a “id” in <g> whose value stands in no quotation marks',
  ],
  ['an attribute twice', drawing('<g id="a" id="b"/>'), 'line 1 says “id” twice in one <g>'],
  ['an unended comment', drawing('<!-- a'), 'line 1 has a <!-- without -->'],
  ['hyphens in a comment', drawing('<!-- a -- b -->'), 'line 1 has two hyphens within a comment'],
  ['text behind the root', `${drawing('')}a`, 'line 1 has text outside its <svg>'],
  ['a second root', drawing('') + drawing(''), 'line 1 goes on after </svg>'],
  ['a late declaration', `\n<?xml version="1.0"?>${drawing('')}`, 'line 2 has its <?xml …?>'],
  ['a control character', drawing('\u0001'), 'line 1 has a control character'],
])('A drawing with %s is blank in a browser, and the reason is given', (_, text, reason) => {
  expect(drawingFault(text)).toContain(reason);
});
