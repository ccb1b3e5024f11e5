/** What is kept of the account: taking it along, and deleting it. */
import { useState } from 'react';
import { linkTo } from '#contract/screens.ts';
import { Button } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { ConfirmDialog } from '#components/confirm-dialog.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure } from '../shared/failure.tsx';
import { saveFile } from '../shared/save-file.ts';
import { useAction } from '../shared/use-action.ts';
import { forgetTyped } from '../shared/use-kept-fields.ts';
import { leaveFor } from '../shared/use-unsaved-guard.ts';
import css from './account-screen.module.css';

/** Asked by a call rather than a link, because it may have to ask first who is there. */
async function takeAlong(): Promise<void> {
  const { data } = await makeCall('GET /auth/account');
  saveFile('my-data.json', JSON.stringify(data, null, 2), 'application/json');
}

async function remove(): Promise<void> {
  await makeCall('DELETE /auth/account');
  forgetTyped();
  leaveFor(linkTo('home'));
}

export function DataCard() {
  const [isAsking, setIsAsking] = useState(false);
  const taking = useAction();
  const removing = useAction();
  return (
    <Card title="Your data">
      <p className={css['note']}>
        Deleting your account cancels your unpaid orders, and deletes your messages, your files and your
        answers to our questions. Your name, address and email are removed from your other orders; we keep
        only what accounting needs.
      </p>
      <div className={css['actions']}>
        <Button variant="secondary" busy={taking.isBusy} onClick={() => void taking.act(takeAlong)}>
          Download my data
        </Button>
        <Button variant="danger" busy={removing.isBusy} onClick={() => setIsAsking(true)}>
          Delete my account
        </Button>
      </div>
      {taking.error && <Failure error={taking.error} />}
      {removing.error && <Failure error={removing.error} />}
      <ConfirmDialog
        open={isAsking}
        title="Delete your account?"
        confirm="Delete my account"
        decline="Keep it"
        variant="danger"
        onConfirm={() => void removing.act(remove)}
        onClose={() => setIsAsking(false)}
      >
        This cannot be undone.
      </ConfirmDialog>
    </Card>
  );
}
