/** Setting up a new site: the first administrator, with the set-up token, and then the payment key. */
import { useState, type ComponentProps, type ReactNode } from 'react';
import { adminPasswordMinLength } from '#contract/password-rules.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { Form } from '#components/form.tsx';
import { makeCall, typedIn } from '#site/islands/shared/call.ts';
import { useForm } from '#site/islands/shared/use-form.ts';
import css from './first-run-gate.module.css';

interface StepProps {
  readonly number: 1 | 2;
  readonly title: string;
  readonly intro: string;
  readonly fields: readonly (ComponentProps<typeof Field> & { readonly name: string })[];
  /** Of the button. */
  readonly label: string;
  readonly send: (form: HTMLFormElement) => Promise<unknown>;
  readonly onDone: () => void;
  /** Below the button. */
  readonly aside?: ReactNode;
}

/** A step: its heading, its fields, what no field can say, and the button that goes on. */
function Step({ number, title, intro, fields, label, send, onDone, aside }: StepProps) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  /** Somebody else was first, or this page is older than the set-up. */
  const isSetUp = failure?.status === 401 || failure?.status === 409;
  return (
    <Form
      ref={ref}
      className={css['form']}
      noValidate={false}
      onSend={(form) => submit({ send: () => send(form).then(onDone) })}
    >
      <p className={css['step']}>Step {number} of 2</p>
      <h1 className={css['title']}>{title}</h1>
      <p className={css['intro']}>{intro}</p>
      {fields.map((field) => (
        <Field key={field.name} {...field} required error={errors[field.name]} />
      ))}
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
    </Form>
  );
}

/** For what is copied rather than written. */
const asTyped = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

const addAdministrator = (form: HTMLFormElement) =>
  makeCall('POST /add-user', { body: { ...typedIn('POST /add-user', form), userRole: 'Admin' } });

function AdministratorStep({ onDone }: Pick<StepProps, 'onDone'>) {
  const [isShown, setIsShown] = useState(false);
  return (
    <Step
      number={1}
      title="Set up your site"
      intro="Create the first administrator. You can add others afterwards."
      label="Create administrator"
      send={addAdministrator}
      onDone={onDone}
      fields={[
        {
          ...asTyped,
          name: 'setupToken',
          label: 'Set-up token',
          help: 'Printed when the site was started, or the setting SETUP_TOKEN.',
        },
        { name: 'userEmail', label: 'Email', type: 'email', autoComplete: 'username' },
        {
          ...asTyped,
          name: 'password',
          label: 'Password',
          type: isShown ? 'text' : 'password',
          help: `At least ${adminPasswordMinLength} characters.`,
          autoComplete: 'new-password',
          minLength: adminPasswordMinLength,
          trailing: (
            <Button variant="secondary" aria-pressed={isShown} onClick={() => setIsShown(!isShown)}>
              Show<span className="visually-hidden"> password</span>
            </Button>
          ),
        },
      ]}
    />
  );
}

/** The step before took its button, and the focus, with it. */
const takeFocus = (input: HTMLInputElement | null) => input?.focus();

const addKey = (form: HTMLFormElement) =>
  makeCall('POST /add-stripe-key', { body: typedIn('POST /add-stripe-key', form) });

/** The payment key can also be added later. */
const PaymentKeyStep = ({ onDone }: Pick<StepProps, 'onDone'>) => (
  <Step
    number={2}
    title="Add your payment key"
    intro="With it customers can pay by card. You can also add it later."
    label="Add payment key"
    send={addKey}
    onDone={onDone}
    fields={[
      {
        ...asTyped,
        ref: takeFocus,
        name: 'stripeKey',
        label: 'Publishable key',
        help: 'Begins with pk_test_ or pk_live_. Never type the secret key.',
      },
    ]}
    aside={
      <Button variant="quiet" onClick={onDone}>
        Later
      </Button>
    }
  />
);

export default function FirstRun({ onDone }: { readonly onDone: () => void }) {
  const [hasAdministrator, setHasAdministrator] = useState(false);
  return hasAdministrator ? (
    <PaymentKeyStep onDone={onDone} />
  ) : (
    <AdministratorStep onDone={() => setHasAdministrator(true)} />
  );
}
