import { expect, test } from 'vitest';
import type { SearchResult } from '#contract/customers.calls.ts';
import { linkToRecord } from '#contract/all-screens.ts';
import { linkTo } from '#contract/screens.ts';
import { foundOptions, termOf, textOptions } from './found.ts';

const id = '0198d1a0-0000-7000-8000-000000000001';
const order: SearchResult['orders'][number] = {
  _id: id,
  number: 1042,
  packageName: 'Standard',
  displayName: 'Standard',
  customerName: 'Maria Lopez',
  priceCents: 89_900,
  paymentStatus: 'Paid',
  orderStatus: 'Pending',
};
const labels = (typed: string, found: Partial<typeof order> = {}, mayRefund = true) =>
  foundOptions({ customers: [], messages: [], orders: [{ ...order, ...found }] }, typed, mayRefund).map(
    ({ label }) => label,
  );

test('The words for an action may come before or after the order’s number', () => {
  expect(termOf('mark #1042 delivered')).toBe('#1042');
  expect(termOf('refund 1042')).toBe('1042');
  for (const typed of ['#1042', 'orders', 'Maria 1042', '$1042']) expect(termOf(typed)).toBe(typed);
});

test('A search lists an order with its possible actions, the requested one first', () => {
  expect(labels('#1042')).toEqual(['#1042 Maria Lopez', 'Mark #1042 delivered', 'Refund #1042']);
  expect(labels('mark #1042 delivered')).toEqual(['Mark #1042 delivered', '#1042 Maria Lopez']);
  expect(labels('refund 1042')).toEqual(['Refund #1042', '#1042 Maria Lopez']);
});

test('The search offers only actions that the order and the role allow', () => {
  expect(labels('#1042', { orderStatus: 'Delivered' })).toEqual(['#1042 Maria Lopez', 'Refund #1042']);
  expect(labels('#1042', { paymentStatus: 'UnPaid' })).toEqual(['#1042 Maria Lopez']);
  expect(labels('#1042', {}, false)).toEqual(['#1042 Maria Lopez', 'Mark #1042 delivered']);
  // Found by its price, which the label does not contain.
  expect(labels('$899')).toEqual(['#1042 Maria Lopez']);
});

test('The results for a delivery and a refund open their forms', () => {
  const options = foundOptions({ customers: [], messages: [], orders: [order] }, '#1042', true);
  expect(options.map(({ href }) => href)).toEqual([
    linkTo('order', id),
    `${linkTo('order', id)}#deliver`,
    `${linkTo('order', id)}#refund`,
  ]);
});

test('A found text opens its record, and is shown around the match', () => {
  const text = `${'Before. '.repeat(9)}Nothing renews by itself. ${'After. '.repeat(20)}`;
  const content = { faqItem: [{ _id: id, accodingTitle: 'Is it monthly?', accodingText: text }] };
  const [found] = textOptions(content, 'nothing RENEWS');
  expect(found).toMatchObject({ href: linkToRecord('faqItem', id), label: 'Is it monthly?' });
  expect(found?.about).toMatch(/^FAQ item: ….*Nothing renews by itself.*…$/);
  expect(textOptions(content, 'Is it')[0]?.about).toBe('FAQ item');
  expect(textOptions(content, 'renews nothing')).toEqual([]);
});
