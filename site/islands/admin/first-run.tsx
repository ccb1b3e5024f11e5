/** Setting up a new site: the first administrator, with the set-up token, and then the payment key. */
import { useState } from 'react';
import { adminPasswordMinLength } from '../../../worker/contract/accounts.ts';
import { sectionCalls, type Call } from '../../../worker/contract/calls.ts';
import type { SectionName } from '../../../worker/contract/sections/index.ts';
import { Alert } from '../../components/alert.tsx';
import { Button } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { makeCall, type CallError } from '../shared/call.ts';
import { callErrorOf } from '../shared/call-error.ts';
import css from './doorway.module.css';

function addCallOf(name: SectionName): Call {
  const { add } = sectionCalls(name);
  if (!add) throw new Error(`The section ${name} has no call to add a record.`);
  return add;
}

export default function FirstRun({ onDone }: { readonly onDone: () => void }) {
  const [hasAdministrator, setHasAdministrator] = useState(false);
  return hasAdministrator ? (
    <PaymentKeyStep onDone={onDone} />
  ) : (
    <AdministratorStep onDone={() => setHasAdministrator(true)} />
  );
}

/** Sends a form's fields with a call; what went wrong stands beside its field. */
function useStep(call: Call, onDone: () => void) {
  const [error, setError] = useState<CallError>();
  const [isBusy, setIsBusy] = useState(false);
  async function send(body: Readonly<Record<string, FormDataEntryValue>>) {
    setIsBusy(true);
    setError(undefined);
    try {
      await makeCall(call, { body });
      onDone();
    } catch (thrown) {
      setError(callErrorOf(thrown));
    }
    setIsBusy(false);
  }
  return { error, errors: error?.fieldErrors ?? {}, isBusy, send };
}

function AdministratorStep({ onDone }: { readonly onDone: () => void }) {
  const { error, errors, isBusy, send } = useStep(addCallOf('adminUser'), onDone);
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void send({ ...Object.fromEntries(new FormData(event.currentTarget)), userRole: 'Admin' });
      }}
    >
      <h1>Set up your site</h1>
      <p>Create the first administrator. You can add others afterwards.</p>
      <Field
        name="setupToken"
        label="Set-up token"
        help="Printed when the site was started, or the setting SETUP_TOKEN."
        autoComplete="off"
        spellCheck={false}
        required
        error={errors['setupToken']}
      />
      <Field
        name="userEmail"
        label="Email"
        type="email"
        autoComplete="username"
        required
        error={errors['userEmail']}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        help={`At least ${adminPasswordMinLength} characters.`}
        autoComplete="new-password"
        minLength={adminPasswordMinLength}
        required
        error={errors['password']}
      />
      {error && <Alert>{error.message}</Alert>}
      <Button type="submit" busy={isBusy}>
        Create administrator
      </Button>
    </form>
  );
}

function PaymentKeyStep({ onDone }: { readonly onDone: () => void }) {
  const { error, errors, isBusy, send } = useStep(addCallOf('paymentKey'), onDone);
  return (
    <form
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void send(Object.fromEntries(new FormData(event.currentTarget)));
      }}
    >
      <h1>Add your payment key</h1>
      <p>With it customers can pay by card. You can also add it later.</p>
      <Field
        name="stripeKey"
        label="Publishable key"
        help="Begins with pk_test_ or pk_live_. Never type the secret key."
        autoComplete="off"
        spellCheck={false}
        required
        error={errors['stripeKey']}
      />
      {error && <Alert>{error.message}</Alert>}
      <Button type="submit" busy={isBusy}>
        Add payment key
      </Button>
      <Button variant="quiet" onClick={onDone}>
        Later
      </Button>
    </form>
  );
}
