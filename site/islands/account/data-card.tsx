/** What is kept of the account: taking it along, and deleting it. */
import { useState } from 'react';
import { Button, LinkButton } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { Dialog } from '#components/dialog.tsx';
import { addressWith } from '../shared/call.ts';
import { DeleteForm } from './delete-form.tsx';
import css from './account-screen.module.css';

export function DataCard() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card title="Your data">
      <p className={css['note']}>
        Deleting your account takes your name, address and email from your orders; what accounting needs of
        them stays.
      </p>
      <div className={css['actions']}>
        <LinkButton variant="secondary" href={addressWith('GET /auth/account')} download="my-data.json">
          Download my data
        </LinkButton>
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          Delete my account
        </Button>
      </div>
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} title="Delete your account?">
        <DeleteForm onKeep={() => setIsAsking(false)} />
      </Dialog>
    </Card>
  );
}
