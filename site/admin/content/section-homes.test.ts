import { expect, test } from 'vitest';
import { sectionNames } from '#contract/sections/index.ts';
import { homes, sectionHomes } from './section-homes.ts';

test("The settings hub starts with the spec's ten cards in the spec's order", () => {
  expect(sectionHomes.slice(0, 10).map(({ path }) => path.replace(/\/$/, ''))).toEqual([
    '/edit-banner',
    '/add-logo',
    '/edit-about',
    '/edit-service',
    '/edit-counter',
    '/add-pricing',
    '/edit-testimonial',
    '/add-address-footer',
    '/add-social-footer',
    '/add-copyright',
  ]);
});

test('The settings hub links to every section once', () => {
  expect(sectionHomes.flatMap(({ sections }) => sections).sort()).toEqual([...sectionNames].sort());
});

test('No two cards of the settings hub have the same name', () => {
  const titles = sectionHomes.map(({ title }) => title);
  expect(new Set(titles).size).toBe(titles.length);
});

test('The settings hub lists the other sections by page, and the settings last', () => {
  const groups = homes.map(({ group }) => group);
  expect(groups.slice(0, 10)).toEqual(Array.from({ length: 10 }));
  expect(groups.slice(10)).not.toContain(undefined);
  expect([...new Set(groups.slice(10))]).toEqual([
    ...['Service page', 'Pricing page', 'Articles', 'Contact page', 'Every page', 'Orders'],
    ...['Behind the scenes', 'Settings'],
  ]);
});
