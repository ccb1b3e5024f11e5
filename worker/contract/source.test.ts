import { expect, test } from 'vitest';
import { couponOfVisit, describeSource, readSource, sourceName } from './source.ts';

const host = 'www.example.test';
const kept = (path: string, referrer = '') => `https://${host}${path} ${referrer}`;

test('A visit from a campaign link counts under the campaign’s name, and any other under the referring site', () => {
  const campaign = readSource(
    kept(
      '/pricing/?utm_source=Spring+News!&utm_campaign=may&gclid=x',
      'https://www.google.com/search?q=private',
    ),
    host,
  );
  expect(campaign).toEqual({
    page: '/pricing/',
    referrer: 'www.google.com',
    utm_source: 'Spring News!',
    utm_campaign: 'may',
  });
  expect(sourceName(campaign)).toBe('spring-news-');
  expect(describeSource(campaign ?? null)).toBe(
    'spring-news-, from www.google.com, campaign may, first page /pricing/',
  );
  expect(sourceName(readSource(kept('/', 'https://www.google.com/'), host))).toBe('google.com');
});

test('A visit that started on the login page counts for the requested page, and no source contains the id of an order', () => {
  const id = '0192f0c1-2d3e-7a4b-8c5d-6e7f80910a1b';
  const asked = encodeURIComponent(`/order-now/${id}?utm_source=spring`);
  expect(readSource(kept(`/login?next=${asked}`, 'https://www.google.com/'), host)).toEqual({
    page: '/order-now/:id',
    referrer: 'www.google.com',
    utm_source: 'spring',
  });
  expect(describeSource({ page: '/order-now/:id', referrer: '' })).toBe('Direct, first page /order-now');
  const registered = readSource(kept('/register?utm_source=spring&next=/dashboard'), host);
  expect(registered).toMatchObject({ page: '/dashboard', utm_source: 'spring' });
});

test('A visit without a link, or from this site, is direct; without stored data it is unknown', () => {
  expect(sourceName(readSource(kept('/'), host))).toBe('direct');
  expect(sourceName(readSource(kept('/', `https://${host}/service/`), host))).toBe('direct');
  expect(sourceName(readSource(null, host))).toBe('unknown');
  expect(readSource('no address', host)).toBeUndefined();
  expect(readSource('', host)).toBeUndefined();
});

test('A coupon comes from the current page, the page before it or the first page, also through the login page', () => {
  const [pricing, linked] = [`https://${host}/pricing/`, `https://${host}/pricing/?coupon=SPRING`];
  expect(couponOfVisit([`${linked}2`, linked, ''])).toBe('SPRING2');
  expect(couponOfVisit([pricing, linked, ''])).toBe('SPRING');
  expect(couponOfVisit([pricing, '', linked])).toBe('SPRING');
  expect(couponOfVisit([`https://${host}/login?next=${encodeURIComponent('/order-now/x?coupon=MAY')}`])).toBe(
    'MAY',
  );
  expect(couponOfVisit([pricing, '', 'no address'])).toBe('');
});
