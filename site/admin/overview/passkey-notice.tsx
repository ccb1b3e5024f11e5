/** Asks staff without a passkey to add one. They can dismiss the notice for this browser. */
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { useRemembered } from '#site/app/use-remembered.ts';
import { hasPasskey } from '../shell/role.ts';

export function PasskeyNotice() {
  const [choice, setChoice] = useRemembered('passkey-notice', ['shown', 'away'], 'shown');
  if (hasPasskey || choice === 'away') return null;
  return (
    <Alert
      tone="info"
      isStanding
      title="Log in with your fingerprint, face or screen lock"
      action={
        <>
          <LinkButton href={linkTo('account')} variant="secondary" size="small">
            Set it up
          </LinkButton>{' '}
          <Button variant="quiet" size="small" onClick={() => setChoice('away')}>
            Not now
          </Button>
        </>
      }
    >
      Most break-ins start with a stolen password. Your fingerprint, face or screen lock cannot be stolen that
      way, and it is faster to use.
    </Alert>
  );
}
