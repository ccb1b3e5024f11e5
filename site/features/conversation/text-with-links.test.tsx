import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { TextWithLinks } from './text-with-links.tsx';

/** The text and address of each link. */
const linksIn = (text: string) =>
  [...renderToStaticMarkup(<TextWithLinks text={text} />).matchAll(/href="([^"]*)"[^>]*>([^<]*)</g)].map(
    ([, href, typed]) => [typed, href],
  );

test('An address in a message is a link, without the punctuation around it', () => {
  expect(
    linksIn('Live: https://lopez.example/a?b=1#c. And (HTTP://joliet.example/x), or "https://b.example"'),
  ).toEqual([
    ['https://lopez.example/a?b=1#c', 'https://lopez.example/a?b=1#c'],
    ['HTTP://joliet.example/x', 'http://joliet.example/x'],
    ['https://b.example', 'https://b.example/'],
  ]);
  expect(renderToStaticMarkup(<TextWithLinks text={'One\nhttps://lopez.example\ntwo <b>'} />)).toMatch(
    /^One\n<a .*<\/a>\ntwo &lt;b&gt;$/,
  );
});

test('A message never links to a script, or to a host other than the one that it shows', () => {
  for (const text of [
    'javascript:alert(1)',
    'https://lopez.example@evil.example/',
    'https://lopez.example\\@evil.example',
    'https://localhost',
    'https://',
  ])
    expect(linksIn(text), text).toEqual([]);
});
