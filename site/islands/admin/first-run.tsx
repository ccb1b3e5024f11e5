/** Setting up a new site: the first administrator, with the set-up token, and then the payment key. */
import { linkTo } from '#contract/screens.ts';
import { useState, type ReactNode } from 'react';
import { adminPasswordMinLength } from '#contract/account-rules.ts';
import { Alert } from '#components/alert.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { makeCall, typedIn } from '../shared/call.ts';
import { useForm, type Form } from '../shared/use-form.ts';
import css from './first-run-gate.module.css';

export default function FirstRun({ onDone }: { readonly onDone: () => void }) {
  const [hasAdministrator, setHasAdministrator] = useState(false);
  return hasAdministrator ? (
    <PaymentKeyStep onDone={onDone} />
  ) : (
    <AdministratorStep onDone={() => setHasAdministrator(true)} />
  );
}

/** The frame of a step: its heading, its fields, what no field can say, and the button that goes on. */
function Step({
  number,
  title,
  intro,
  label,
  form: { ref, failure, isBusy, submit },
  send,
  onDone,
  children,
  aside,
}: {
  readonly number: 1 | 2;
  readonly title: string;
  readonly intro: string;
  /** Of the button. */
  readonly label: string;
  readonly form: Form;
  readonly send: (fields: HTMLFormElement) => Promise<unknown>;
  readonly onDone: () => void;
  readonly children: ReactNode;
  /** Below the button. */
  readonly aside?: ReactNode;
}) {
  /** Somebody else was first, or this page is older than the set-up. */
  const isSetUp = failure?.status === 401 || failure?.status === 409;
  return (
    <form
      ref={ref}
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        const fields = event.currentTarget;
        void submit({ send: () => send(fields).then(onDone) });
      }}
    >
      <p className={css['step']}>Step {number} of 2</p>
      <h1 className={css['title']}>{title}</h1>
      <p className={css['intro']}>{intro}</p>
      {children}
      {failure && (
        <Alert
          action={
            isSetUp ? (
              <LinkButton href={linkTo('login')} variant="secondary" size="small">
                Log in
              </LinkButton>
            ) : undefined
          }
        >
          {isSetUp ? 'This site has been set up already.' : failure.message}
        </Alert>
      )}
      <Button type="submit" busy={isBusy}>
        {label}
      </Button>
      {aside}
    </form>
  );
}

const addAdministrator = (form: HTMLFormElement) =>
  makeCall('POST /add-user', { body: typedIn('POST /add-user', form) });

function AdministratorStep({ onDone }: { readonly onDone: () => void }) {
  const form = useForm();
  const [isShown, setIsShown] = useState(false);
  return (
    <Step
      number={1}
      title="Set up your site"
      intro="Create the first administrator. You can add others afterwards."
      label="Create administrator"
      form={form}
      send={addAdministrator}
      onDone={onDone}
    >
      <Field
        name="setupToken"
        label="Set-up token"
        help="Printed when the site was started, or the setting SETUP_TOKEN."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={form.errors['setupToken']}
      />
      <Field
        name="userEmail"
        label="Email"
        type="email"
        autoComplete="username"
        required
        error={form.errors['userEmail']}
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
        error={form.errors['password']}
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

const addKey = (form: HTMLFormElement) =>
  makeCall('POST /add-stripe-key', { body: typedIn('POST /add-stripe-key', form) });

function PaymentKeyStep({ onDone }: { readonly onDone: () => void }) {
  const form = useForm();
  return (
    <Step
      number={2}
      title="Add your payment key"
      intro="With it customers can pay by card. You can also add it later."
      label="Add payment key"
      form={form}
      send={addKey}
      onDone={onDone}
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
        error={form.errors['stripeKey']}
      />
    </Step>
  );
}
