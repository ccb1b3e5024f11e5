/** Explains what happens to paid, undelivered orders when their customer deletes the account. */
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order, OrderEvent } from '#contract/orders.calls.ts';
import { maxPageSize } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { api } from '../app/call.ts';

export interface OwedOrders {
  /** Paid and not delivered, newest first. */
  readonly owed: readonly Order[];
  /** Owed orders whose payment the customer's bank has taken back. */
  readonly takenBack: readonly Order[];
}

/** Stripe's statuses in which the bank holds the money. https://docs.stripe.com/api/disputes/object */
const takenStatuses = ['needs_response', 'under_review', 'lost'];

/** Whether the customer's bank has taken back an order's payment, according to the order's timeline. */
export function isTakenBack(timeline: readonly Pick<OrderEvent, 'kind' | 'after'>[]): boolean {
  const last = timeline.findLast(({ kind }) => kind.startsWith('dispute'));
  return takenStatuses.includes(last?.after['status'] ?? '');
}

export async function readOwedOrders(): Promise<OwedOrders> {
  const query = { own: 'open', paymentStatus: 'Paid', pageSize: maxPageSize } as const;
  const orders = (await api('GET /orders', { query })).data;
  const isTaken = await Promise.all(
    orders.map(async ({ _id }) => isTakenBack((await api('GET /order/:id/timeline', { id: _id })).data)),
  );
  return {
    owed: orders.filter((_, index) => !isTaken[index]),
    takenBack: orders.filter((_, index) => isTaken[index]),
  };
}

const maxNamed = 5;

function numbersOf(orders: readonly Order[]): string {
  const named = orders.slice(0, maxNamed).map(({ number }) => displayOrderNumber(number));
  const others = orders.length - named.length;
  return new Intl.ListFormat('en-US').format(others > 0 ? [...named, `${others} more`] : named);
}

/** The warning about these orders in the confirmation, with what to do first. */
export function OwedNotice({ owed, takenBack }: OwedOrders) {
  const [first] = owed;
  return (
    <>
      {first && (
        <>
          You have paid for {numbersOf(owed)}, and we have not delivered yet. Deleting the account does not
          refund {owed.length === 1 ? 'that payment' : 'those payments'}, and we will have no way to reach you
          to deliver. <TextLink href={linkTo('myOrder', first._id)}>Write to us first</TextLink>, and we will
          finish the work or return your money.{' '}
        </>
      )}
      {takenBack.length > 0 && (
        <>
          Your bank has taken back your payment for {numbersOf(takenBack)}. Deleting the account does not
          change that.{' '}
        </>
      )}
    </>
  );
}
