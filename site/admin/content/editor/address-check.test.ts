import { expect, test } from 'vitest';
import { checkAddress } from './address-check.ts';

test.each([
  ['', 'link', 'empty'],
  ['  ', 'image', 'empty'],
  ['https://www.example.com/', 'link', 'fine'],
  ['http://www.example.com/', 'link', 'fine'],
  ['http://www.example.com/a.png', 'image', 'refused'],
  ['javascript:alert(1)', 'link', 'refused'],
  ['//elsewhere.example', 'link', 'refused'],
  ['/pricing/', 'link', 'fine'],
  ['/pricing', 'link', 'fine'],
  ['/#contact-sec', 'link', 'fine'],
  ['/pricing/?from=banner#faq', 'link', 'fine'],
  ['/prices', 'link', 'no-page'],
  ['/files/brochure.pdf', 'link', 'fine'],
  ['/images/team.jpg', 'image', 'fine'],
  ['#contact-sec', 'link', 'fine'],
  ['mailto:hello@agency.example', 'link', 'fine'],
] as const)('An editor who types %j as a %s sees the result %s', (address, kind, expected) => {
  expect(checkAddress(address, kind)).toBe(expected);
});
