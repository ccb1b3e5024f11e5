/** Links to log in or sign up, for payers who are not signed in to the order's account. */
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';

export const LogInLinks = ({ orderId }: { readonly orderId: string }) => (
  <>
    <LinkButton
      variant="secondary"
      href={`${linkTo('register')}?next=${encodeURIComponent(linkTo('myOrder', orderId))}`}
    >
      Sign Up
    </LinkButton>
    {/* The page is protected, so anonymous visitors are redirected to the login page. */}
    <LinkButton variant="secondary" href={linkTo('myOrder', orderId)}>
      Log in
    </LinkButton>
  </>
);
