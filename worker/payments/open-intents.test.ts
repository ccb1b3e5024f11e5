/** How many Stripe calls it takes to look up intents. The tests provide the lists. */
import type Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import type { PaymentContext } from './context.ts';
import { findIntents, type OpenIntent } from './open-intents.ts';

const madeAt = 1_800_000_000_000;
const openIntent = (name: string, at = madeAt) =>
  ({ _id: newId(at), paymentIntentId: name, orderId: name }) as OpenIntent;
const intentOf = (id: string) => ({ id }) as Stripe.PaymentIntent;

/** A Stripe that lists some intents, a hundred per page, and can retrieve others only one by one. */
function stripeWith(listed: readonly string[], known: readonly string[] = []) {
  const list = vi.fn(({ starting_after: after, limit = 10 }: Stripe.PaymentIntentListParams) => {
    const start = after === undefined ? 0 : listed.indexOf(after) + 1;
    const data = listed.slice(start, start + limit).map(intentOf);
    return Promise.resolve({ data, has_more: start + limit < listed.length });
  });
  const retrieve = vi.fn((id: string) =>
    known.includes(id) ? Promise.resolve(intentOf(id)) : Promise.reject(new Error(`No ${id}.`)),
  );
  const context = { stripe: { paymentIntents: { list, retrieve } } } as unknown as PaymentContext;
  return { list, retrieve, context };
}
const names = (length: number, prefix = 'pi') => Array.from({ length }, (_, index) => `${prefix}${index}`);

test('A single intent is retrieved directly', async () => {
  const { context, list, retrieve } = stripeWith([], ['pi0']);
  const open = openIntent('pi0');
  expect(await findIntents(context, [open])).toEqual([{ open, intent: { id: 'pi0' } }]);
  expect([list.mock.calls.length, retrieve.mock.calls.length]).toEqual([0, 1]);
  expect(await findIntents(context, [])).toEqual([]);
});

test('Several intents are found in a list of their creation times, with five extra minutes on each side', async () => {
  const { context, list, retrieve } = stripeWith(['other', 'pi1', 'pi0']);
  const due = [openIntent('pi0', madeAt), openIntent('pi1', madeAt + 60_000)];
  const found = await findIntents(context, due);
  expect(found.map(({ open, intent }) => [open.orderId, intent?.id])).toEqual([
    ['pi1', 'pi1'],
    ['pi0', 'pi0'],
  ]);
  expect(list.mock.calls).toEqual([
    [
      {
        created: { gte: madeAt / 1_000 - 300, lte: madeAt / 1_000 + 60 + 300 },
        limit: 100,
        expand: ['data.latest_charge.balance_transaction'],
      },
    ],
  ]);
  expect(retrieve).not.toHaveBeenCalled();
});

test('Pages of a list are read until all intents are found', async () => {
  const wanted = names(250);
  const { context, list, retrieve } = stripeWith([...wanted, ...names(500, 'older')]);
  const found = await findIntents(
    context,
    wanted.map((name) => openIntent(name)),
  );
  expect(found.map(({ intent }) => intent?.id)).toEqual(wanted);
  expect(list.mock.calls.map(([{ starting_after: after }]) => after)).toEqual([undefined, 'pi99', 'pi199']);
  expect(retrieve).not.toHaveBeenCalled();
});

test.each([
  [4, 3],
  [40, 10],
  [400, 20],
])('%i intents that no list contains are retrieved one by one after %i pages', async (count, pages) => {
  const wanted = names(count, 'old');
  const { context, list, retrieve } = stripeWith(names(5_000), wanted);
  const found = await findIntents(
    context,
    wanted.map((name) => openIntent(name)),
  );
  expect(found.map(({ intent }) => intent?.id).toSorted()).toEqual(wanted.toSorted());
  expect([list.mock.calls.length, retrieve.mock.calls.length]).toEqual([pages, count]);
});

test('After the last page of a list, the one remaining intent is retrieved directly', async () => {
  const { context, list, retrieve } = stripeWith(['pi0', 'pi1'], ['pi2']);
  const due = names(3).map((name) => openIntent(name));
  expect((await findIntents(context, due)).map(({ intent }) => intent?.id)).toEqual(['pi0', 'pi1', 'pi2']);
  expect([list.mock.calls.length, retrieve.mock.calls.length]).toEqual([1, 1]);
  const empty = stripeWith([], names(2));
  expect((await findIntents(empty.context, due.slice(0, 2))).map(({ intent }) => intent?.id)).toEqual([
    'pi0',
    'pi1',
  ]);
  expect(empty.list).toHaveBeenCalledTimes(1);
});

test('If listing fails, no listed intent is retrieved directly, and one failed retrieval does not hide the others', async () => {
  const due = names(3).map((name) => openIntent(name));
  const away = stripeWith([]);
  const error = new Error('Stripe is away.');
  away.list.mockRejectedValueOnce(error);
  expect(await findIntents(away.context, due)).toEqual(due.map((open) => ({ open, error })));
  expect(away.retrieve).not.toHaveBeenCalled();
  const { context } = stripeWith(['pi0'], ['pi2']);
  const found = await findIntents(context, due);
  expect(found.map(({ intent, error: failure }) => [intent?.id, failure instanceof Error])).toEqual(
    expect.arrayContaining([
      ['pi0', false],
      ['pi2', false],
      [undefined, true],
    ]),
  );
});

test('The last remaining intent is retrieved directly, however long the list is', async () => {
  const { context, list, retrieve } = stripeWith(['pi0', 'pi1', ...names(200, 'older')], ['pi2']);
  await findIntents(
    context,
    names(3).map((name) => openIntent(name)),
  );
  expect([list.mock.calls.length, retrieve.mock.calls.length]).toEqual([1, 1]);
});

test('Two intents found on a page justify one more page', async () => {
  const deep = names(4, 'old');
  const { context, list, retrieve } = stripeWith([...names(10), ...names(5_000, 'other')], deep);
  await findIntents(
    context,
    [...names(10), ...deep].map((name) => openIntent(name)),
  );
  expect([list.mock.calls.length, retrieve.mock.calls.length]).toEqual([8, 4]);
});
