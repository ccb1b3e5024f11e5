/** How payers who are not signed in to the order's account can see the whole order. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import type { PayableOrder } from './payable-order.ts';

/** What the order's customer can do to see the order, as the middle of a sentence. */
export const waysToOrder = ({ payerEmail }: PayableOrder): string =>
  payerEmail === undefined
    ? 'sign up or log in with the email address on it'
    : 'log in with the email address on it, and verify that address';

export function LogInLinks({ order: { _id, payerEmail } }: { readonly order: PayableOrder }) {
  if (payerEmail !== undefined)
    return (
      <LinkButton variant="secondary" href={linkTo('dashboard')}>
        Go to your dashboard
      </LinkButton>
    );
  return (
    <>
      <LinkButton
        variant="secondary"
        href={`${linkTo('register')}?next=${encodeURIComponent(linkTo('myOrder', _id))}`}
      >
        Sign Up
      </LinkButton>
      {/* The page is protected, so anonymous visitors are redirected to the login page. */}
      <LinkButton variant="secondary" href={linkTo('myOrder', _id)}>
        Log in
      </LinkButton>
    </>
  );
}
