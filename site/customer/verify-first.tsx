/**
 * The message for customers whose email is not verified. Orders that were placed for an email belong to the account
 * only after verification. Every list of orders therefore says that an order may be missing, and how to see it.
 */
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { useCall } from '../app/query.ts';
import { useMutation } from '../app/use-mutation.ts';

export function SendLink({ variant }: { readonly variant?: 'secondary' }) {
  const { mutate, isPending, isSuccess, error } = useMutation({
    mutationFn: () => api('POST /auth/verify/resend'),
    changesNothing: true,
  });
  return (
    <>
      <Button {...(variant && { variant })} busy={isPending} onClick={() => mutate()}>
        Send a new link
      </Button>
      {isSuccess && <p role="status">We sent you a new link.</p>}
      <Failure error={error} />
    </>
  );
}

export function VerifyNotice() {
  const account = useCall('GET /auth/session').data?.account;
  if (account?.emailVerified !== false) return null;
  return (
    <Alert tone="info" isStanding title="Verify your email" action={<SendLink variant="secondary" />}>
      Open the link that we emailed to {account.email}, so that we know that our emails reach you. If someone
      placed an order for you, it will then appear here.
    </Alert>
  );
}
