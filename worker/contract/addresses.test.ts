import { expect, test } from 'vitest';
import { isPath, isSafeAddress } from './addresses.ts';

test.each([
  '/.//other.example/x',
  '/..//other.example/x',
  '/a/..//other.example',
  '/%2e//other.example',
  '//other.example',
  '/\\other.example',
])('The path %s is rejected because it resolves to another site', (address) => {
  expect(isSafeAddress(address, 'link')).toBe(false);
  expect(isSafeAddress(address, 'image')).toBe(false);
  expect(isPath(address)).toBe(false);
});

test.each(['/a//b', '/./pricing/', '/a/../b?c=/.//d#e', '/café'])('The path %s is accepted', (address) => {
  expect(isSafeAddress(address, 'link')).toBe(true);
});
