/** The account of an order: the signed-in account, or a new one that a visitor creates with the order. */
import { useState } from 'react';
import { passwordLength, strengthOf } from '#contract/password-rules.ts';
import { linkTo } from '#contract/screens.ts';
import { Field } from '#site/ui/field.tsx';
import { PasswordField } from '#site/ui/password-field.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { textsIn } from '#site/app/use-form.ts';

/** The login page, which returns to this form after login. */
export const loginAddress = (): string =>
  `${linkTo('login')}?next=${encodeURIComponent(location.pathname + location.search)}`;

export interface NewAccount {
  readonly email: string;
  readonly password: string;
}

/** The values for a visitor's new account; empty if signed in. */
export const readNewAccount = (form: HTMLFormElement): NewAccount => textsIn(form, ['email', 'password']);

export const OwnEmail = ({ email }: { readonly email: string }) => (
  <Field
    label="Email"
    name="customerEmail"
    type="email"
    value={email}
    readOnly
    help="The order belongs to the account that you are logged in to."
  />
);

interface NewAccountFieldsProps {
  /** Called before the login page opens. */
  readonly onLeave: () => void;
}

export function NewAccountFields({ onLeave }: NewAccountFieldsProps) {
  const [password, setPassword] = useState('');
  return (
    <>
      <p className="muted">
        Already have an account?{' '}
        <TextLink href={loginAddress()} onClick={onLeave}>
          Log in
        </TextLink>
      </p>
      <Field
        label="Email"
        name="email"
        type="email"
        autoComplete="username"
        spellCheck={false}
        required
        maxLength={254}
        placeholder="you@example.com"
      />
      <PasswordField
        maxLength={passwordLength.max}
        help={
          strengthOf(password) ||
          `For your new account, where you can track your order. At least ${passwordLength.min} characters; a few unrelated words make a good one.`
        }
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
    </>
  );
}
