/**
 * The pieces of the sign-in pages, rendered to HTML only. They are plain forms: without JavaScript they post, and the
 * Worker puts what went wrong into the places that stand ready here (worker/accounts/pages.ts); with it, enhance-forms.ts
 * sends them in place and fills the same places. Browsers do not check them, so that a mistake has the same words either
 * way.
 */
import { Eye, Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { emailTexts } from '#contract/account-rules.ts';
import { callAddress, type KnownCall } from '#contract/call.ts';
import { passwordLength } from '#contract/password-rules.ts';
import { linkTo } from '#contract/screens.ts';
import css from './account-form.module.css';

export type FormName =
  | 'login'
  | 'register'
  | 'reset'
  | 'recovery'
  | 'verify-email'
  | 'reset-password'
  | 'invitation'
  | 'confirm-subscription'
  | 'unsubscribe';

/** Where what is wrong with a field is written, below the field. */
const ErrorPlace = ({ name }: { readonly name: string }) => (
  <p id={`${name}-error`} className={css['error']} data-error-for={name} hidden />
);

/**
 * The email, which password managers know as the user name.
 * @param offersPasskeys whether the browser may offer passkeys in it
 */
export const EmailInput = ({ offersPasskeys = false }: { readonly offersPasskeys?: boolean }) => (
  <div className={css['field']}>
    <Field
      label="Email"
      name="email"
      type="email"
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={254}
      title={emailTexts.invalid}
      required
    />
    <ErrorPlace name="email" />
  </div>
);

/** One of somebody's recovery codes. */
export const CodeInput = () => (
  <div className={css['field']}>
    <Field
      label="Recovery code"
      name="code"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
      maxLength={100}
      placeholder="k7qm-2x9d-8fhz-w3tn"
      help="One of the ten codes that you kept when you set up your fingerprint, face or screen lock. Each works once."
      required
    />
    <ErrorPlace name="code" />
  </div>
);

/** A password with a button that shows it, which appears once its script runs. */
export function PasswordInput({
  label = 'Password',
  isNew = false,
  minLength = passwordLength.min,
}: {
  readonly label?: string;
  readonly isNew?: boolean;
  /** Of a new one. */
  readonly minLength?: number;
}) {
  return (
    <div className={css['field']}>
      <Field
        label={label}
        name="password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        minLength={minLength}
        maxLength={passwordLength.max}
        required
        {...(isNew && {
          help: `At least ${minLength} characters; a few unrelated words make a good one.`,
        })}
        trailing={
          <button type="button" className={css['show']} data-show-password aria-pressed="false" hidden>
            <Eye size={20} aria-hidden="true" />
            <span className="visually-hidden">Show password</span>
          </button>
        }
      />
      {isNew && <p className={css['strength']} data-strength role="status" />}
      <ErrorPlace name="password" />
    </div>
  );
}

export interface AccountFormProps {
  readonly name: FormName;
  readonly title: string;
  readonly intro?: ReactNode;
  /** The call that the form makes. */
  readonly call: KnownCall;
  /** The page that follows, unless the page's address names another; without one a sentence is said in place. */
  readonly nextPage?: 'dashboard' | 'home' | 'account';
  readonly submit: string;
  /** A value from the page's address that goes along: where to go next, or the secret of a mailed link. */
  readonly carries?: 'next' | 'token';
  /** Whether form and intro go once it was taken, and what was done stands in their place. */
  readonly isOnce?: boolean;
  /** Offers Google; the Worker takes it away where Google is not set up. */
  readonly withGoogle?: boolean;
  /** The button by which a passkey does what the form does; it appears where the browser knows passkeys. */
  readonly passkey?: string;
  readonly children?: ReactNode;
  /** Links below the form. */
  readonly links?: ReactNode;
}

export function AccountForm(props: AccountFormProps) {
  const { name, title, intro, call, nextPage, submit, carries, passkey, children, links } = props;
  const goes = props.isOnce ? { 'data-until-done': '' } : {};
  return (
    <div className={css['page']}>
      <h1 className={css['title']}>{title}</h1>
      {intro !== undefined && (
        <p className={css['intro']} {...goes}>
          {intro}
        </p>
      )}
      {carries === 'next' && <p className={css['intro']} data-next hidden />}
      <div className={css['notice']} data-notice hidden />
      <form
        method="post"
        action={callAddress(call)}
        className={css['form']}
        data-account-form={name}
        {...goes}
        data-next-page={nextPage && linkTo(nextPage)}
        noValidate
      >
        {carries && <input type="hidden" name={carries} defaultValue="" />}
        {children}
        <Button type="submit">{submit}</Button>
      </form>
      {passkey !== undefined && (
        <p className={css['passkey']} data-passkey={name} hidden>
          <Button variant="secondary" icon={<Fingerprint size={20} aria-hidden="true" />}>
            {passkey}
          </Button>
        </p>
      )}
      {props.withGoogle && (
        <p className={css['google']} data-google>
          <a href={callAddress('GET /auth/google')} data-keep-next>
            Continue with Google
          </a>
        </p>
      )}
      {links !== undefined && <p className={css['links']}>{links}</p>}
    </div>
  );
}
