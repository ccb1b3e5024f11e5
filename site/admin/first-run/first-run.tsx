/**
 * Sets up a new site: the first administrator (with the setup token), the payment key unless the deployment
 * added it, the business details for receipts, and the legal texts. Only the first step is required.
 */
import { useState, type ReactNode } from 'react';
import { passwordTexts, staffPasswordMinLength } from '#contract/password-rules.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { Field } from '#site/ui/field.tsx';
import { PasswordField } from '#site/ui/password-field.tsx';
import { api, formBody } from '#site/app/call.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useReadOnce } from '#site/app/query.ts';
import { textsIn } from '#site/app/use-form.ts';
import { keyErrors } from '../money/key-field.tsx';
import { memberErrors } from '../users/member-fields.tsx';
import { BusinessDetailsStep, BusinessPagesStep } from './first-run-business.tsx';
import { takeFocus } from '#site/ui/focus-heading.ts';
import { Step, type At } from './first-run-step.tsx';

/** For values that people paste. */
const asTyped = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function checkAdministrator(form: HTMLFormElement): FieldErrors {
  const { setupToken, userEmail, password } = textsIn(form, ['setupToken', 'userEmail', 'password']);
  return {
    ...(setupToken.trim() === '' && { setupToken: 'Please enter the setup token.' }),
    ...memberErrors({ userEmail, userRole: 'Admin' }),
    ...(password.length < staffPasswordMinLength && {
      password: password === '' ? passwordTexts.required : passwordTexts.short(staffPasswordMinLength),
    }),
  };
}

const addAdministrator = (form: HTMLFormElement) =>
  api('POST /add-user', { body: { ...formBody('POST /add-user', form), userRole: 'Admin' } });

function AdministratorStep(at: At) {
  return (
    <Step
      {...at}
      title="Set up your site"
      intro="Create the first administrator. You can add others afterward."
      label="Create administrator"
      check={checkAdministrator}
      send={addAdministrator}
    >
      <Field
        {...asTyped}
        required
        name="setupToken"
        label="Setup token"
        help="The value of the SETUP_TOKEN setting, or what the site printed when it started."
      />
      <Field required name="userEmail" label="Email" type="email" autoComplete="username" />
      <PasswordField
        {...asTyped}
        help={`At least ${staffPasswordMinLength} characters.`}
        minLength={staffPasswordMinLength}
      />
    </Step>
  );
}

const addKey = (form: HTMLFormElement) =>
  api('POST /add-stripe-key', { body: formBody('POST /add-stripe-key', form) });

const PaymentKeyStep = (at: At) => (
  <Step
    {...at}
    canWait
    title="Add your payment key"
    intro="Customers need it to pay by card. You can also add it later."
    label="Add payment key"
    check={(form) => keyErrors(textsIn(form, ['stripeKey']))}
    send={addKey}
  >
    <Field
      {...asTyped}
      ref={takeFocus}
      required
      name="stripeKey"
      label="Publishable key"
      help="Begins with pk_test_ or pk_live_. Never type the secret key."
    />
  </Step>
);

const stepsFor = (hasKey: boolean): readonly ((at: At) => ReactNode)[] => [
  AdministratorStep,
  ...(hasKey ? [] : [PaymentKeyStep]),
  BusinessDetailsStep,
  BusinessPagesStep,
];

interface FirstRunProps {
  /** The number of steps left in a setup that has begun; undefined for a new one. */
  readonly stepsLeft: number | undefined;
  /** Called when any step but the first begins. */
  readonly onStep: (stepsLeft: number) => void;
  readonly onDone: () => void;
}

export default function FirstRun({ stepsLeft, onStep, onDone }: FirstRunProps) {
  const keys = useReadOnce('GET /stripe-keys');
  const [left, setLeft] = useState(stepsLeft);
  return (
    <QueryBoundary query={keys}>
      {({ data }) => {
        const steps = stepsFor(data.length > 0);
        // Once the setup has begun, the administrator exists. A key may have been added since.
        const index = left === undefined ? 0 : Math.max(1, steps.length - left);
        const CurrentStep = steps[index];
        const next = () => {
          const leftNext = steps.length - index - 1;
          if (leftNext > 0) {
            onStep(leftNext);
            setLeft(leftNext);
          } else onDone();
        };
        return CurrentStep && <CurrentStep key={index} number={index + 1} of={steps.length} onDone={next} />;
      }}
    </QueryBoundary>
  );
}
