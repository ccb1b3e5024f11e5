/**
 * What a customer sees while their email is not verified. An order that was placed for that email is theirs only after
 * they have verified it, so every list of orders says that one may be missing, and how it appears.
 */
import { useQuery } from '@tanstack/react-query';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { callQuery } from '../app/query.ts';
import { useMutation } from '../app/use-mutation.ts';

/** The session of a customer's screen. */
export const useSession = () => useQuery(callQuery('GET /auth/session'));

export const verifyText = (email: string): string =>
  `An order that was placed for ${email} appears here once you have verified that address. Open the link that we sent to it.`;

/** Sends the link that verifies the email once more. */
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
      {isSuccess && <p role="status">We have sent you a new link.</p>}
      {error && <Failure error={error} />}
    </>
  );
}

/** Shown below a list of orders, so that the orders come first. */
export function VerifyNotice() {
  const account = useSession().data?.account;
  if (account?.emailVerified !== false) return null;
  return (
    <Alert tone="info" isStanding title="Verify your email" action={<SendLink variant="secondary" />}>
      {verifyText(account.email)}
    </Alert>
  );
}
