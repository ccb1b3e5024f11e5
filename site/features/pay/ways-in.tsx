/** The ways to an order for somebody who is not signed in to its account. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';

export const WaysIn = ({ orderId }: { readonly orderId: string }) => (
  <>
    <LinkButton
      variant="secondary"
      href={`${linkTo('register')}?next=${encodeURIComponent(linkTo('myOrder', orderId))}`}
    >
      Sign Up
    </LinkButton>
    {/* The guard of this page redirects anonymous visitors to the log-in page. */}
    <LinkButton variant="secondary" href={linkTo('myOrder', orderId)}>
      Log in
    </LinkButton>
  </>
);
