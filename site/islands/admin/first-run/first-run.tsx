/** Setting up a new site: the first administrator, with the set-up token, and then the payment key. */
import { useState } from 'react';
import { AdministratorStep } from './administrator-step.tsx';
import { PaymentKeyStep } from './payment-key-step.tsx';

export default function FirstRun({ onDone }: { readonly onDone: () => void }) {
  const [hasAdministrator, setHasAdministrator] = useState(false);
  return hasAdministrator ? (
    <PaymentKeyStep onDone={onDone} />
  ) : (
    <AdministratorStep onDone={() => setHasAdministrator(true)} />
  );
}
