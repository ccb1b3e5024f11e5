/** Changes the password, or explains how to get a first one. */
import { useState } from 'react';
import {
  staffPasswordMinLength,
  passwordLength,
  passwordTexts,
  strengthOf,
} from '#contract/password-rules.ts';
import type { SignedIn } from '#contract/account-schemas.ts';
import { hasAbility } from '#contract/audience.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '../app/toasts.tsx';
import { api } from '../app/call.ts';
import { SendButton } from '../app/send-button.tsx';
import { QueryBoundary } from '../app/query-boundary.tsx';
import { textsIn, useForm } from '../app/use-form.ts';
import { refetchScreen, useReadOnce } from '../app/query.ts';
import { stack } from '#site/ui/layout.ts';

function checkPasswords(current: string, chosen: string, minLength: number): FieldErrors {
  return {
    ...(current === '' && { currentPassword: passwordTexts.required }),
    ...(chosen === ''
      ? { newPassword: passwordTexts.required }
      : chosen.length < minLength && { newPassword: passwordTexts.short(minLength) }),
  };
}

export const PasswordCard = ({ account }: { readonly account: SignedIn }) => (
  <Card title="Password">
    {account.lacks === 'passkeySignIn' ? (
      <p className="muted">Use your passkey first, as the note above says.</p>
    ) : (
      <Password account={account} />
    )}
  </Card>
);

function Password({ account }: { readonly account: SignedIn }) {
  const ways = useReadOnce('GET /auth/confirm');
  return (
    <QueryBoundary query={ways}>
      {({ data: { password, google } }) =>
        password ? <ChangePassword account={account} /> : <FirstPassword opensByGoogle={google} />
      }
    </QueryBoundary>
  );
}

/** A first password requires access to the mailbox. Otherwise, anyone with the session could set one. */
const FirstPassword = ({ opensByGoogle }: { readonly opensByGoogle: boolean }) => (
  <>
    <p className="muted">
      Your account has no password. To choose one, ask for a link by email. Choosing a password signs you out
      everywhere{opensByGoogle && ' and unlinks Google'}.
    </p>
    <p>
      <LinkButton href={linkTo('reset')} variant="secondary">
        Choose a password
      </LinkButton>
    </p>
  </>
);

function ChangePassword({ account: { email, role } }: { readonly account: SignedIn }) {
  const minLength = hasAbility(role, 'staff') ? staffPasswordMinLength : passwordLength.min;
  const [strength, setStrength] = useState('');
  const { ref, ...form } = useForm();
  const change = (element: HTMLFormElement) => {
    const typed = textsIn(element, ['currentPassword', 'newPassword']);
    return form.submit({
      check: () => checkPasswords(typed.currentPassword, typed.newPassword, minLength),
      async send() {
        await api('PUT /auth/password', { body: typed });
        element.reset();
        setStrength('');
        showToast('Your password has been changed, and your other devices have been signed out.');
        void refetchScreen();
      },
    });
  };
  const field = (name: 'currentPassword' | 'newPassword') => ({
    name,
    type: 'password',
    required: true,
    maxLength: passwordLength.max,
  });

  return (
    <Form ref={ref} errors={form.errors} className={stack(4)} onSend={change}>
      {/* Password managers store the new password under this name. */}
      <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
      <Field {...field('currentPassword')} label="Current password" autoComplete="current-password" />
      <Field
        {...field('newPassword')}
        label="New password"
        autoComplete="new-password"
        onInput={({ currentTarget }) => setStrength(strengthOf(currentTarget.value))}
        help={strength || `At least ${minLength} characters.`}
      />
      <SendButton form={form}>Change password</SendButton>
    </Form>
  );
}
