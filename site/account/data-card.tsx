/** What is kept of the account: taking it along, and deleting it. */
import { displayOrderNumber } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { maxPageSize } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { saveFile } from '../ui/save-file.ts';
import { useMutation } from '../app/use-mutation.ts';
import { forgetTyped } from '../app/use-session-fields.ts';
import { leaveFor } from '../app/use-unsaved-guard.ts';
import css from './account-screen.module.css';

/** Asked by a call rather than a link, because it may have to ask first who is there. */
async function takeAlong(): Promise<void> {
  const { data } = await api('GET /auth/account');
  saveFile('my-data.json', JSON.stringify(data, null, 2), 'application/json');
}

/** Most orders that the question before a deletion names. */
const mostNamed = 5;

/** What becomes of orders that are paid and not delivered, and the way to settle that first. */
function Owed({ orders }: { readonly orders: readonly Order[] }) {
  const [first] = orders;
  if (!first) return null;
  const named = orders.slice(0, mostNamed).map(({ number }) => displayOrderNumber(number));
  const others = orders.length - named.length;
  const numbers = new Intl.ListFormat('en-US').format(others > 0 ? [...named, `${others} more`] : named);
  return (
    <>
      You have paid for {numbers}, and we have not delivered yet. Deleting the account does not refund that,
      and we can no longer reach you to deliver.{' '}
      <TextLink href={linkTo('myOrder', first._id)}>Write to us first</TextLink>, and we will finish the work
      or return your money.{' '}
    </>
  );
}

async function remove(): Promise<void> {
  await api('DELETE /auth/account');
  forgetTyped();
  leaveFor(linkTo('home'));
}

/** The customer's paid orders that are not delivered yet, the newest first. */
async function readOwed() {
  const query = { own: 'open', paymentStatus: 'Paid', pageSize: maxPageSize } as const;
  return (await api('GET /orders', { query })).data;
}

export function DataCard() {
  const taking = useMutation({ mutationFn: takeAlong, changesNothing: true });
  const removing = useMutation({ mutationFn: remove, changesNothing: true });
  const asking = useMutation({
    mutationFn: readOwed,
    changesNothing: true,
    onSuccess: (owed) => void removeIfSure(owed),
  });
  async function removeIfSure(owed: readonly Order[]) {
    const isSure = await confirm({
      title: 'Delete your account?',
      text: (
        <>
          <Owed orders={owed} />
          This cannot be undone.
        </>
      ),
      confirm: 'Delete my account',
      decline: 'Keep it',
      variant: 'danger',
    });
    if (isSure) removing.mutate();
  }
  return (
    <Card title="Your data">
      <p className={css['note']}>
        Deleting your account cancels your unpaid orders, and deletes your messages, your files and your
        answers to our questions. Your name, address and email are removed from your other orders; we keep
        only what accounting needs.
      </p>
      <div className={css['actions']}>
        <Button variant="secondary" busy={taking.isPending} onClick={() => taking.mutate()}>
          Download my data
        </Button>
        <Button
          variant="danger"
          busy={asking.isPending || removing.isPending}
          onClick={() => asking.mutate()}
        >
          Delete my account
        </Button>
      </div>
      {taking.error && <Failure error={taking.error} />}
      {asking.error && <Failure error={asking.error} />}
      {removing.error && <Failure error={removing.error} />}
    </Card>
  );
}
