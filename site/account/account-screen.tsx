/** One's own account: email, passkeys, password, where one is signed in, and one's data. */
import { useState } from 'react';
import { confirmedQuery } from '#contract/account-rules.ts';
import { type Requirement, requirementTexts } from '#contract/audience.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { ToastProvider, useToast } from '#site/ui/toast.tsx';
import { WhenLoaded } from '../app/failure.tsx';
import { ScreenFrame } from '../ui/screen-frame.tsx';
import { readSession } from '../app/session.ts';
import { useAction } from '../app/use-action.ts';
import { useLoaded } from '../app/use-loaded.ts';
import { DataCard } from './data-card.tsx';
import { EmailCard } from './email-card.tsx';
import { GoogleCard } from './google-card.tsx';
import { PasskeysCard } from './passkeys-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import css from './account-screen.module.css';

/** What somebody who works here must do first, and what they can do about it on the spot. */
function RequirementNotice({
  lacks,
  onMended,
}: {
  readonly lacks: Requirement;
  readonly onMended: () => void;
}) {
  const { act } = useAction(useToast());
  const confirm = () =>
    act(async () => {
      const { confirmIdentity } = await import('../app/confirm-identity.tsx');
      if (await confirmIdentity()) onMended();
    });
  return (
    <Alert
      tone="warning"
      action={
        lacks === 'passkeySignIn' && (
          <Button variant="secondary" size="small" onClick={() => void confirm()}>
            Use your passkey
          </Button>
        )
      }
    >
      {requirementTexts[lacks]}
    </Alert>
  );
}

/** What came of confirming by Google, in the tab that was opened for it. */
function Confirmed() {
  const confirmed = new URLSearchParams(location.search).get(confirmedQuery);
  if (confirmed === null) return null;
  return confirmed === 'no' ? (
    <Alert tone="danger" title="Google did not confirm that it is you">
      Close this tab, go back to the one that you came from, and try again with the Google account that opens
      your account here.
    </Alert>
  ) : (
    <Alert tone="success" title="It is you">
      Close this tab and go back to the one that you came from.
    </Alert>
  );
}

export default function AccountScreen() {
  const account = useLoaded('account', readSession);
  const [passwords, setPasswords] = useState(0);
  return (
    <ToastProvider>
      <ScreenFrame title="Your account">
        <Confirmed />
        <WhenLoaded loaded={account}>
          {(data) =>
            data && (
              <>
                {data.lacks && <RequirementNotice lacks={data.lacks} onMended={account.reload} />}
                <div className={css['columns']}>
                  <div className={css['column']}>
                    <EmailCard account={data} />
                    <PasskeysCard account={data} onAdded={account.reload} />
                    <SessionsCard key={passwords} />
                    <GoogleCard />
                  </div>
                  <div className={css['column']}>
                    <PasswordCard email={data.email} onChange={() => setPasswords(passwords + 1)} />
                    <ProfileCard />
                    <DataCard />
                  </div>
                </div>
              </>
            )
          }
        </WhenLoaded>
      </ScreenFrame>
    </ToastProvider>
  );
}
