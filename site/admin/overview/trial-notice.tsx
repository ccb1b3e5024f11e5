/** Tells staff that a site without its own domain sends no email. */
import { Alert } from '#site/ui/alert.tsx';
import { isTrial } from '../shell/role.ts';

export function TrialNotice() {
  if (!isTrial) return null;
  return (
    <Alert tone="warning" isStanding title="This site is a trial: it sends no email">
      It has no domain of its own yet, and no email goes out without one. Customers get no confirmations, and
      we get no notices: look here for new orders and messages. Emails wait for three days. The deployment
      guide says how to give the site a domain.
    </Alert>
  );
}
