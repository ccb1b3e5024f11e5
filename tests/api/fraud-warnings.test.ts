import { afterAll, expect, test } from 'vitest';
import { markSeen } from '#worker/attention/attention.ts';
import { openShop } from './orders-shop.ts';

const shop = await openShop();
afterAll(() => shop.close());

test('A payment that the bank warns about needs attention until it is refunded', async () => {
  const { order, intent } = await shop.newPaidOrder();
  shop.emulator.controls.warnOfFraud({ paymentIntent: intent.id });
  await shop.reportAll(intent);
  await shop.reportAll(intent);
  const [line, ...others] = await shop.attentionFor(order);
  const { number } = await shop.readOrder(order);
  expect(others).toEqual([]);
  expect(line).toMatchObject({ kind: 'fraudWarning', orderId: order._id });
  expect(line?.text).toContain(`the card payment of $499.50 for order #${String(number)} may be fraud`);
  await shop.refund(order);
  expect(await shop.attentionFor(order)).toEqual([]);
});

test('A handled warning leaves the list, and a repeated event does not bring it back', async () => {
  const { order, intent } = await shop.newPaidOrder();
  shop.emulator.controls.warnOfFraud({ paymentIntent: intent.id });
  await shop.reportAll(intent);
  const [line] = await shop.attentionFor(order);
  await markSeen(shop.db, line?._id ?? '', 'somebody');
  await shop.reportAll(intent);
  expect(await shop.attentionFor(order)).toEqual([]);
});
