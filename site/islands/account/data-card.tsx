/** What is kept of the account: taking it along, and deleting it. */
import { useState } from 'react';
import { Button } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { Dialog } from '#components/dialog.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure } from '../shared/failure.tsx';
import { saveFile } from '../shared/save-file.ts';
import { useAction } from '../shared/use-action.ts';
import { DeleteForm } from './delete-form.tsx';
import css from './account-screen.module.css';

/** Asked by a call rather than a link, because it may have to ask first who is there. */
async function download(): Promise<void> {
  const { data } = await makeCall('GET /auth/account');
  saveFile('my-data.json', JSON.stringify(data, null, 2), 'application/json');
}

export function DataCard() {
  const [isAsking, setIsAsking] = useState(false);
  const { act, isBusy, error } = useAction();
  return (
    <Card title="Your data">
      <p className={css['note']}>
        Deleting your account cancels your unpaid orders, and deletes your messages, your files and your
        answers to our questions. Your name, address and email are removed from your other orders; we keep
        only what accounting needs.
      </p>
      <div className={css['actions']}>
        <Button variant="secondary" busy={isBusy} onClick={() => void act(download)}>
          Download my data
        </Button>
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          Delete my account
        </Button>
      </div>
      {error && <Failure error={error} />}
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} title="Delete your account?">
        <DeleteForm onKeep={() => setIsAsking(false)} />
      </Dialog>
    </Card>
  );
}
