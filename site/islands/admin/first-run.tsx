/** Setting up a new site: the first administrator, with the set-up token, and then the payment key. */
import { linkTo } from '../../../worker/contract/screens.ts';
import { useState, type ReactNode, type SubmitEvent } from 'react';
import { adminPasswordMinLength } from '../../../worker/contract/accounts.ts';
import { sectionCalls, type SectionCallName } from '../../../worker/contract/section-calls.ts';
import type { SectionName } from '../../../worker/contract/sections/index.ts';
import { Alert } from '../../components/alert.tsx';
import { Button, LinkButton } from '../../components/button.tsx';
import { Field } from '../../components/field.tsx';
import { makeCall, typedIn, type CallError } from '../shared/call.ts';
import { callErrorOf } from '../shared/call-error.ts';
import css from './doorway.module.css';

function addCallOf(name: SectionName): SectionCallName<'add'> {
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

/** Sends a form's fields with a call; the first field that does not hold takes the focus. */
function useStep(call: SectionCallName<'add'>, onDone: () => void) {
  const [error, setError] = useState<CallError>();
  const [isBusy, setIsBusy] = useState(false);
  async function send(event: SubmitEvent<HTMLFormElement>) {
    event.preventDefault();
    const form = event.currentTarget;
    setIsBusy(true);
    setError(undefined);
    try {
      await makeCall(call, { body: typedIn(call, form) });
      onDone();
    } catch (thrown) {
      const failure = callErrorOf(thrown);
      setError(failure);
      const [first = ''] = Object.keys(failure.fieldErrors);
      const input = form.elements.namedItem(first);
      if (input instanceof HTMLElement) input.focus();
    }
    setIsBusy(false);
  }
  return { error, errors: error?.fieldErrors ?? {}, isBusy, send };
}

/** The frame of a step: its heading, its fields, what no field can say, and the button that goes on. */
function Step({
  number,
  title,
  intro,
  submit,
  step: { error, errors, isBusy, send },
  children,
  aside,
}: {
  readonly number: 1 | 2;
  readonly title: string;
  readonly intro: string;
  readonly submit: string;
  readonly step: ReturnType<typeof useStep>;
  readonly children: ReactNode;
  /** Below the button. */
  readonly aside?: ReactNode;
}) {
  /** Somebody else was first, or this page is older than the set-up. */
  const isSetUp = error?.status === 401 || error?.status === 409;
  return (
    <form className={css['form']} onSubmit={(event) => void send(event)}>
      <p className={css['step']}>Step {number} of 2</p>
      <h1 className={css['title']}>{title}</h1>
      <p className={css['intro']}>{intro}</p>
      {children}
      {error && Object.keys(errors).length === 0 && (
        <Alert
          action={
            isSetUp ? (
              <LinkButton href={linkTo('login')} variant="secondary" size="small">
                Log in
              </LinkButton>
            ) : undefined
          }
        >
          {isSetUp ? 'This site has been set up already.' : error.message}
        </Alert>
      )}
      <Button type="submit" busy={isBusy}>
        {submit}
      </Button>
      {aside}
    </form>
  );
}

function AdministratorStep({ onDone }: { readonly onDone: () => void }) {
  const step = useStep(addCallOf('adminUser'), onDone);
  const [isShown, setIsShown] = useState(false);
  return (
    <Step
      number={1}
      title="Set up your site"
      intro="Create the first administrator. You can add others afterwards."
      submit="Create administrator"
      step={step}
    >
      <Field
        name="setupToken"
        label="Set-up token"
        help="Printed when the site was started, or the setting SETUP_TOKEN."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={step.errors['setupToken']}
      />
      <Field
        name="userEmail"
        label="Email"
        type="email"
        autoComplete="username"
        required
        error={step.errors['userEmail']}
      />
      <Field
        name="password"
        label="Password"
        type={isShown ? 'text' : 'password'}
        help={`At least ${adminPasswordMinLength} characters.`}
        autoComplete="new-password"
        autoCapitalize="none"
        spellCheck={false}
        minLength={adminPasswordMinLength}
        required
        error={step.errors['password']}
        trailing={
          <Button variant="secondary" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
            Show<span className="visually-hidden"> password</span>
          </Button>
        }
      />
      <input type="hidden" name="userRole" value="Admin" />
    </Step>
  );
}

/** The step before took its button, and the focus, with it. */
const takeFocus = (input: HTMLInputElement | null) => input?.focus();

function PaymentKeyStep({ onDone }: { readonly onDone: () => void }) {
  const step = useStep(addCallOf('paymentKey'), onDone);
  return (
    <Step
      number={2}
      title="Add your payment key"
      intro="With it customers can pay by card. You can also add it later."
      submit="Add payment key"
      step={step}
      aside={
        <Button variant="quiet" onClick={onDone}>
          Later
        </Button>
      }
    >
      <Field
        ref={takeFocus}
        name="stripeKey"
        label="Publishable key"
        help="Begins with pk_test_ or pk_live_. Never type the secret key."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={step.errors['stripeKey']}
      />
    </Step>
  );
}
