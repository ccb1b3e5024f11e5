import { expect, test } from 'vitest';
import { networkOf } from './network-address.ts';

test('All spellings of an IPv4 address count as one caller', () => {
  for (const spelling of [
    '203.0.113.9',
    ' 203.0.113.9',
    '::ffff:203.0.113.9',
    '::FFFF:cb00:7109',
    '0:0:0:0:0:ffff:203.0.113.9',
  ])
    expect(networkOf(spelling), spelling).toBe('203.0.113.9');
  expect(networkOf('203.0.113.10')).not.toBe(networkOf('203.0.113.9'));
});

test('All addresses of an IPv6 /64 count as one caller, however they are spelled', () => {
  for (const spelling of [
    '2001:db8:0:1::1',
    '2001:DB8::1:0:0:0:9',
    '2001:0db8:0000:0001:ffff:ffff:ffff:ffff',
    '2001:db8:0:1:a:b:203.0.113.9',
    '2001:db8:0:1::1%eth0',
  ])
    expect(networkOf(spelling), spelling).toBe('2001:db8:0:1::/64');
  expect(networkOf('2001:db8:0:2::1')).toBe('2001:db8:0:2::/64');
  expect(networkOf('::1')).toBe('0:0:0:0::/64');
});

test('Text that is not an address counts as a separate caller', () => {
  for (const text of [
    'unknown',
    '',
    '1.2.3',
    '999.1.1.1',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'g::1',
  ])
    expect(networkOf(text)).toBe(text);
});
