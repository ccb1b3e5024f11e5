/** Asks staff without a passkey to add one. They can dismiss the notice for this browser. */
import { useState } from 'react';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { hasPasskey } from '../shell/role.ts';

const key = 'passkey-notice';

export function PasskeyNotice() {
  const [isAway, setIsAway] = useState(() => hasPasskey || localStorage.getItem(key) !== null);
  if (isAway) return null;
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
          <Button
            variant="quiet"
            size="small"
            onClick={() => {
              localStorage.setItem(key, 'away');
              setIsAway(true);
            }}
          >
            Not now
          </Button>
        </>
      }
    >
      Most break-ins start with a stolen password. What unlocks your device cannot be stolen that way, and it
      is faster to use.
    </Alert>
  );
}
