/**
 * Sets up a new site: the first administrator (with the setup token), the payment key unless the deployment
 * added it, the business details for receipts, and the legal texts. Only the first step is required.
 */
import { useState, type ReactNode } from 'react';
import { staffPasswordMinLength } from '#contract/password-rules.ts';
import { Field } from '#site/ui/field.tsx';
import { PasswordField } from '#site/ui/password-field.tsx';
import { api, formBody } from '#site/app/call.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useReadOnce } from '#site/app/query.ts';
import { BusinessDetailsStep, BusinessPagesStep } from './first-run-business.tsx';
import { takeFocus } from '#site/ui/focus-heading.ts';
import { Step, type At } from './first-run-step.tsx';

/** For values that people paste. */
const asTyped = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

const addAdministrator = (form: HTMLFormElement) =>
  api('POST /add-user', { body: { ...formBody('POST /add-user', form), userRole: 'Admin' } });

function AdministratorStep(at: At) {
  return (
    <Step
      {...at}
      title="Set up your site"
      intro="Create the first administrator. You can add others afterwards."
      label="Create administrator"
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
        required
        name="password"
        label="Password"
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

export default function FirstRun({ onDone }: { readonly onDone: () => void }) {
  const keys = useReadOnce('GET /stripe-keys');
  const [index, setIndex] = useState(0);
  return (
    <QueryBoundary query={keys}>
      {({ data }) => {
        const steps = stepsFor(data.length > 0);
        const CurrentStep = steps[index];
        const next = () => (index + 1 < steps.length ? setIndex(index + 1) : onDone());
        return CurrentStep && <CurrentStep key={index} number={index + 1} of={steps.length} onDone={next} />;
      }}
    </QueryBoundary>
  );
}
