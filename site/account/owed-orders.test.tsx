import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders.calls.ts';
import { isTakenBack, OwedNotice } from './owed-orders.tsx';

const orderWith = (number: number) => ({ _id: `order-${number}`, number }) as Order;
const textOf = (owed: readonly Order[], takenBack: readonly Order[]) =>
  renderToStaticMarkup(<OwedNotice owed={owed} takenBack={takenBack} />).replace(/<[^>]*>/g, '');

test('An order is not described as paid if the bank took the payment back', () => {
  expect(textOf([orderWith(1042)], [orderWith(1043)])).toMatch(
    /^You have paid for #1042, .* Your bank has taken back your payment for #1043\./,
  );
  expect(textOf([], [orderWith(1043)])).not.toContain('You have paid');
  expect(textOf([1, 2, 3, 4, 5, 6].map(orderWith), [])).toContain('#1, #2, #3, #4, #5, and 1 more');
});

test.each([
  [['needs_response'], true],
  [['needs_response', 'under_review', 'lost'], true],
  [['needs_response', 'won'], false],
  // An inquiry: the bank may dispute the payment later.
  [['warning_needs_response'], false],
  [['warning_needs_response', 'needs_response'], true],
  [[], false],
])('A payment with the disputes %j is taken back: %s', (statuses, expected) => {
  const timeline = statuses.map((status) => ({ kind: 'disputeUpdated', after: { status } }) as const);
  expect(isTakenBack([...timeline, { kind: 'stepDone', after: {} }])).toBe(expected);
});
