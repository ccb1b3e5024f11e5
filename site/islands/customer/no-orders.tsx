/**
 * What a customer sees where there is no order: at an address that is not theirs or of none, and before the first. An
 * order that was placed for them is theirs once they have verified their email, so whoever has not is asked to.
 */
import { MailCheck, ShoppingBag } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { SignedIn } from '#contract/accounts.ts';
import { linkTo } from '#contract/screens.ts';
import { Button, LinkButton } from '#components/button.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure, WhenLoaded } from '../shared/failure.tsx';
import { ScreenFrame } from '../shared/screen-frame.tsx';
import { readSession } from '../shared/session.ts';
import { useAction } from '../shared/use-action.ts';
import { useLoaded } from '../shared/use-loaded.ts';

export const isNotTheirs = (status: number | undefined) => status === 403 || status === 404;

export function NoSuchOrder() {
  return (
    <ScreenFrame title="Your order">
      <OnceVerified title="Verify your email first">
        <EmptyState
          title="There is no such order"
          action={<LinkButton href={linkTo('myOrders')}>To your orders</LinkButton>}
        >
          The address may be misspelled, or the order belongs to another account.
        </EmptyState>
      </OnceVerified>
    </ScreenFrame>
  );
}

/** What a customer without orders sees. */
export function NoOrders() {
  return (
    <OnceVerified title="No orders yet">
      <EmptyState
        title="No orders yet"
        icon={<ShoppingBag size="2rem" aria-hidden="true" />}
        action={<LinkButton href={linkTo('pricing')}>See the packages</LinkButton>}
      >
        Your orders appear here, with what each of them is waiting for. Choose a package to place the first
        one.
      </EmptyState>
    </OnceVerified>
  );
}

/** Shows this to an account with a verified email; any other is asked to verify it first. */
function OnceVerified({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  const session = useLoaded('session', readSession);
  return (
    <WhenLoaded loaded={session} lines={3}>
      {(account) =>
        account?.emailVerified === false ? <VerifyFirst title={title} account={account} /> : children
      }
    </WhenLoaded>
  );
}

interface VerifyFirstProps {
  readonly title: string;
  readonly account: SignedIn;
}

function VerifyFirst({ title, account: { email } }: VerifyFirstProps) {
  const { act, isBusy, isDone, error } = useSending();
  return (
    <EmptyState
      title={title}
      icon={<MailCheck size="2rem" aria-hidden="true" />}
      action={
        <>
          <Button busy={isBusy} onClick={() => void act()}>
            Send a new link
          </Button>
          <LinkButton variant="secondary" href={linkTo('pricing')}>
            See the packages
          </LinkButton>
        </>
      }
    >
      <p>
        An order that was placed for {email} appears here once you have verified that address. Open the link
        that we sent to it.
      </p>
      {isDone && <p role="status">We have sent you a new link.</p>}
      {error && <Failure error={error} />}
    </EmptyState>
  );
}

/** Sends the link once more. */
function useSending() {
  const [isDone, setIsDone] = useState(false);
  const { act, isBusy, error } = useAction();
  const send = async () => setIsDone(await act(() => makeCall('POST /auth/verify/resend')));
  return { act: send, isBusy, isDone, error };
}
