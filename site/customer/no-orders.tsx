/**
 * What a customer sees where there is no order: at an address that is not theirs or of none, and before the first. An
 * order that was placed for them is theirs once they have verified their email, so whoever has not is asked to.
 */
import { MailCheck, ShoppingBag } from 'lucide-react';
import type { ReactNode } from 'react';
import { useQuery } from '@tanstack/react-query';
import { linkTo } from '#contract/screens.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { QueryBoundary } from '../app/query-boundary.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { callQuery } from '../app/query.ts';
import { useMutation } from '../app/use-mutation.ts';

export const isNotTheirs = (status: number | undefined) => status === 403 || status === 404;

export const NoSuchOrder = () => (
  <ScreenFrame title="Your order">
    <WithAccount>
      {({ unverified }) =>
        unverified === undefined ? (
          <EmptyState
            title="There is no such order"
            action={<LinkButton href={linkTo('myOrders')}>To your orders</LinkButton>}
          >
            The address may be misspelled, or the order belongs to another account.
          </EmptyState>
        ) : (
          <EmptyState
            title="Verify your email first"
            icon={<MailCheck size="2rem" aria-hidden="true" />}
            action={<SendLink />}
          >
            An order that was placed for {unverified} appears here once you have verified that address. Open
            the link that we sent to it.
          </EmptyState>
        )
      }
    </WithAccount>
  </ScreenFrame>
);

/** What a customer without orders sees. */
export const NoOrders = () => (
  <WithAccount>
    {({ unverified }) => (
      <EmptyState
        title="No orders yet"
        icon={<ShoppingBag size="2rem" aria-hidden="true" />}
        action={
          <>
            <LinkButton href={linkTo('pricing')}>See the packages</LinkButton>
            {unverified !== undefined && <SendLink variant="secondary" />}
          </>
        }
      >
        Your orders appear here, with what each of them is waiting for. Choose a package to place the first
        one.
        {unverified !== undefined &&
          ` If we placed one for you, open the link that we sent to ${unverified}: it appears here once that address is verified.`}
      </EmptyState>
    )}
  </WithAccount>
);

interface WithAccountProps {
  /** @param account with its email, as long as that is not verified */
  readonly children: (account: { readonly unverified: string | undefined }) => ReactNode;
}

function WithAccount({ children }: WithAccountProps) {
  const session = useQuery(callQuery('GET /auth/session'));
  return (
    <QueryBoundary query={session} lines={3}>
      {({ account }) =>
        children({ unverified: account?.emailVerified === false ? account.email : undefined })
      }
    </QueryBoundary>
  );
}

/** Sends the link that verifies the email once more. */
function SendLink({ variant }: { readonly variant?: 'secondary' }) {
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
