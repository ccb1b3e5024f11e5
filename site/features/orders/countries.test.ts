import { expect, test } from 'vitest';
import { countryNames } from './countries.ts';

test('The list contains the names of all 249 countries of ISO 3166-1, without duplicates', () => {
  const names = countryNames();
  expect(new Set(names).size).toBe(249);
  expect(names.filter((name) => /^[A-Z]{2}$/.test(name))).toEqual([]);
  expect(names).toEqual(expect.arrayContaining(['United States', 'Germany', 'India', 'Åland Islands']));
});

test('Countries are sorted as an English reader expects', () => {
  const names = countryNames();
  expect(names[0]).toBe('Afghanistan');
  expect(names.indexOf('Åland Islands')).toBeLessThan(names.indexOf('Albania'));
  expect(names.at(-1)).toBe('Zimbabwe');
});
