/** The first administrator, made with the set-up token. */
import { useState } from 'react';
import { adminPasswordMinLength } from '#contract/password-rules.ts';
import { Button } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { makeCall, typedIn } from '#site/islands/shared/call.ts';
import { useForm } from '#site/islands/shared/use-form.ts';
import { Step } from './step.tsx';

const addAdministrator = (form: HTMLFormElement) =>
  makeCall('POST /add-user', { body: typedIn('POST /add-user', form) });

export function AdministratorStep({ onDone }: { readonly onDone: () => void }) {
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
