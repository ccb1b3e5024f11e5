/** The user's account: email, passkeys, password, Google, profile, sessions, and data. */
import { confirmedQuery } from '#contract/account-rules.ts';
import { type Requirement, requirementTexts } from '#contract/audience.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { QueryBoundary } from '../app/query-boundary.tsx';
import { useCall } from '../app/query.ts';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { useMutation } from '../app/use-mutation.ts';
import { DataCard } from './data-card.tsx';
import { EmailCard } from './email-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { columns, stack, row } from '#site/ui/layout.ts';
import css from './account-screen.module.css';
import { Card } from '#site/ui/card.tsx';
import { api } from '../app/call.ts';
import { ActionButton } from '../app/action-button.tsx';
import { counted } from '#contract/counted.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { SubscriptionStatus } from '../features/subscription/subscription-status.tsx';

/** What staff must do first, with a button to do it here. */
function RequirementNotice({ lacks }: { readonly lacks: Requirement }) {
  const { mutate: confirm } = useMutation({
    mutationFn: async () => (await import('../app/confirm-identity.tsx')).confirmIdentity(),
    toastsError: true,
  });
  return (
    <Alert
      tone="warning"
      action={
        lacks === 'passkeySignIn' && (
          <Button variant="secondary" size="small" onClick={() => confirm()}>
            Use your passkey
          </Button>
        )
      }
    >
      {requirementTexts[lacks]}
    </Alert>
  );
}

/** The result of confirming with Google, in the tab that was opened for it. */
function Confirmed() {
  const confirmed = new URLSearchParams(location.search).get(confirmedQuery);
  if (confirmed === null) return null;
  return confirmed === 'no' ? (
    <Alert tone="danger" title="Google could not confirm that it is you">
      Close this tab, go back to the previous one, and try again with the Google account you log in with here.
    </Alert>
  ) : (
    <Alert tone="success" title="Thank you, your identity is confirmed">
      You can close this tab and go back to the previous one.
    </Alert>
  );
}

export default function AccountScreen() {
  const session = useCall('GET /auth/session');
  return (
    <ScreenFrame title="Your account">
      <Confirmed />
      <QueryBoundary query={session}>
        {({ account }) =>
          account && (
            <>
              {account.lacks && <RequirementNotice lacks={account.lacks} />}
              <div className={columns(5, css['columns'])}>
                <div className={stack(5, css['column'])}>
                  <EmailCard account={account} />
                  <PasskeysCard account={account} />
                  <SessionsCard />
                  <GoogleCard />
                  <PurchasesCard />
                </div>
                <div className={stack(5, css['column'])}>
                  <PasswordCard account={account} />
                  <ProfileCard />
                  <DataCard />
                </div>
              </div>
            </>
          )
        }
      </QueryBoundary>
    </ScreenFrame>
  );
}

/** Removes Google sign-in. Only users with Google sign-in see this. */
function GoogleCard() {
  const link = useCall('GET /auth/google/link');
  if (!link.data?.isLinked) return null;
  return (
    <Card title="Google">
      <p className="muted">You can log in with your Google account.</p>
      <ActionButton
        variant="secondary"
        action={() => api('DELETE /auth/google/link')}
        done="You can no longer log in with Google."
        showsError
      >
        Unlink Google
      </ActionButton>
    </Card>
  );
}

/** Links to the user's orders and subscriptions; hidden if there are none. */
function PurchasesCard() {
  const totals = useCall('GET /order-totals', { query: { own: 'true' } });
  const subscriptions = useCall('GET /subscriptions', { query: { own: 'true', state: 'live' } });
  if (!totals.data?.orders) return null;
  return (
    <Card title="Orders and subscriptions">
      <ul className={stack(2)}>
        <li>
          <TextLink href={linkTo('myOrders')}>{counted(totals.data.orders, 'order')}</TextLink>
        </li>
        {subscriptions.data?.map(({ _id, displayName, state }) => (
          <li key={_id} className={row([1, 3])}>
            <TextLink href={linkTo('subscription', _id)}>{displayName} package, every month</TextLink>
            <SubscriptionStatus state={state} />
          </li>
        ))}
      </ul>
    </Card>
  );
}
