/** One's own account: email, password, where one is signed in, and one's data. */
import { lackTexts } from '#contract/audience.ts';
import { Alert } from '#components/alert.tsx';
import { ToastProvider } from '#components/toast.tsx';
import { WhenLoaded } from '../shared/failure.tsx';
import { ScreenFrame } from '../shared/screen-frame.tsx';
import { readSession } from '../shared/session.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { DataCard } from './data-card.tsx';
import { EmailCard } from './email-card.tsx';
import { GoogleCard } from './google-card.tsx';
import { PasswordCard } from './password-card.tsx';
import { ProfileCard } from './profile-card.tsx';
import { SessionsCard } from './sessions-card.tsx';
import css from './account-screen.module.css';

export default function AccountScreen() {
  const account = useLoaded('account', readSession);
  return (
    <ToastProvider>
      <ScreenFrame title="Your account">
        <WhenLoaded loaded={account}>
          {(data) => (
            <>
              {data?.lacks && <Alert tone="warning">{lackTexts[data.lacks]}</Alert>}
              <div className={css['columns']}>
                <div className={css['column']}>
                  {data && <EmailCard account={data} />}
                  <SessionsCard />
                  <GoogleCard />
                </div>
                <div className={css['column']}>
                  <PasswordCard email={data?.email ?? ''} />
                  <ProfileCard />
                  <DataCard />
                </div>
              </div>
            </>
          )}
        </WhenLoaded>
      </ScreenFrame>
    </ToastProvider>
  );
}
