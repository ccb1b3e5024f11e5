/** The user's account: email, passkeys, password, sessions, and data. */
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
import { GoogleCard } from './google-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { PurchasesCard } from './purchases-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import { columns, stack } from '#site/ui/layout.ts';
import css from './account-screen.module.css';

/** The requirement that staff must meet first, with a button to meet it here. */
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
    <Alert tone="success" title="Thank you, that is confirmed">
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
