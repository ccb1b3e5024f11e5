/** The account's email, and a new link for one that is not verified. */
import type { SignedIn } from '#contract/accounts.ts';
import { Badge } from '#components/badge.tsx';
import { Button } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure } from '../shared/failure.tsx';
import { useAction } from '../shared/use-action.ts';
import css from './account-screen.module.css';

export function EmailCard({ account: { email, emailVerified } }: { readonly account: SignedIn }) {
  const showToast = useToast();
  const { act, isBusy, error } = useAction();
  const resend = () =>
    act(async () => {
      await makeCall('POST /auth/verify/resend');
      showToast('We have sent you a new link.');
    });
  return (
    <Card
      title="Email"
      aside={
        <Badge tone={emailVerified ? 'success' : 'warning'}>
          {emailVerified ? 'Verified' : 'Not verified'}
        </Badge>
      }
    >
      <p>{email}</p>
      {!emailVerified && (
        <>
          <p className={css['note']}>
            Open the link that we mailed to you. You can order and pay without it.
          </p>
          {error && <Failure error={error} />}
          <Button variant="secondary" busy={isBusy} onClick={() => void resend()}>
            Send a new link
          </Button>
        </>
      )}
    </Card>
  );
}
