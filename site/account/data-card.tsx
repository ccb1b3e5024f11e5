/** Exports or deletes the account's data. */
import { linkTo } from '#contract/screens.ts';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { OwedNotice, readOwedOrders, type OwedOrders } from './owed-orders.tsx';
import { saveFile } from '../ui/save-file.ts';
import { useMutation } from '../app/use-mutation.ts';
import { forgetTyped } from '../app/use-session-fields.ts';
import { leaveFor } from '../app/use-unsaved-guard.ts';
import { cluster } from '#site/ui/layout.ts';

/** Downloads the data with a call instead of a link, because the user may have to confirm their identity first. */
async function downloadData(): Promise<void> {
  const { data } = await api('GET /auth/account');
  saveFile('my-data.json', JSON.stringify(data, null, 2), 'application/json');
}

/** Deletes the account, and removes its passkeys from the device if the browser supports that. */
async function remove(): Promise<void> {
  const { passkeys } = (await api('GET /auth/passkeys')).data;
  await api('DELETE /auth/account');
  if (passkeys.length > 0) {
    const { forgetPasskey } = await import('../app/passkey.ts');
    await Promise.all(passkeys.map(({ credentialId }) => forgetPasskey(credentialId)));
  }
  forgetTyped();
  leaveFor(linkTo('login'));
}

export function DataCard() {
  const taking = useMutation({ mutationFn: downloadData, changesNothing: true });
  const removing = useMutation({ mutationFn: remove, changesNothing: true });
  const asking = useMutation({
    mutationFn: readOwedOrders,
    changesNothing: true,
    onSuccess: (orders) => void removeIfSure(orders),
  });
  async function removeIfSure(orders: OwedOrders) {
    const isSure = await confirm({
      title: 'Delete your account?',
      text: (
        <>
          <OwedNotice {...orders} />
          This cannot be undone.
        </>
      ),
      confirm: 'Delete my account',
      decline: 'Keep my account',
      variant: 'danger',
    });
    if (isSure) removing.mutate();
  }
  return (
    <Card title="Your data">
      <p className="muted">
        Deleting your account cancels your unpaid orders, ends your subscriptions, and deletes your messages,
        your files and your answers to our questions. Your name, address and email are removed from your other
        orders; we keep only what accounting needs.
      </p>
      <div className={cluster(3)}>
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
      <Failure error={taking.error} />
      <Failure error={asking.error} />
      <Failure error={removing.error} />
    </Card>
  );
}
