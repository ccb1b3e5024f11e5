/**
 * The components of the login pages, which render only HTML. The forms are plain: without JavaScript, they post, and
 * the Worker writes errors into the placeholders here (worker/accounts/pages.ts). With JavaScript, enhance-forms.ts
 * sends them in place and fills the same placeholders. The browser's own validation is off, so both paths show the same
 * messages.
 */
import { Eye, Fingerprint } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { emailTexts } from '#contract/account-rules.ts';
import { callAddress, type KnownCall } from '#contract/call-address.ts';
import { passwordLength } from '#contract/password-rules.ts';
import { linkTo } from '#contract/screens.ts';
import { ReloadButton } from '../ui/reload-button.tsx';
import field from '#site/ui/field.module.css';
import divider from '#site/ui/divider.module.css';
import { classNames } from '#site/ui/class-names.ts';
import button from '#site/ui/button.module.css';
import showPassword from '#site/ui/show-password.module.css';
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

/**
 * Password managers store the email as the user name. @param offersPasskeys whether the browser may offer passkeys in
 * it
 */
export const EmailInput = ({ offersPasskeys = false }: { readonly offersPasskeys?: boolean }) => (
  <Field
    label="Email"
    name="email"
    type="email"
    autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
    spellCheck={false}
    maxLength={254}
    title={emailTexts.invalid}
    required
    error=""
  />
);

export const CodeInput = () => (
  <Field
    label="Recovery code"
    name="code"
    autoComplete="off"
    autoCapitalize="none"
    spellCheck={false}
    maxLength={100}
    placeholder="k7qm-2x9d-8fhz-w3tn"
    help="One of the ten codes you saved when you set up your fingerprint, face or screen lock. Each code works once."
    required
    error=""
  />
);

interface PasswordInputProps {
  readonly label?: string;
  readonly help?: string;
  readonly isNew?: boolean;
  /** If it is not required, the server decides whether it may be empty. */
  readonly isRequired?: boolean;
  /** For a new password. */
  readonly minLength?: number;
}

/** A password field with a button that shows the password. The button appears once its script runs. */
export function PasswordInput({
  label = 'Password',
  help,
  isNew = false,
  isRequired = true,
  minLength = passwordLength.min,
}: PasswordInputProps) {
  return (
    <div className={field['frame']}>
      <Field
        label={label}
        name="password"
        type="password"
        autoComplete={isNew ? 'new-password' : 'current-password'}
        minLength={minLength}
        maxLength={passwordLength.max}
        required={isRequired || undefined}
        error=""
        {...(help !== undefined && { help })}
        {...(isNew && {
          help: `At least ${minLength} characters; a few unrelated words make a good one.`,
        })}
        trailing={
          <button
            type="button"
            className={showPassword['show']}
            data-show-password
            aria-pressed="false"
            hidden
          >
            <Eye size="1.25rem" />
            <span className="visually-hidden">Show password</span>
          </button>
        }
      />
      {isNew && <p className={classNames(field['help'], css['strength'])} data-strength role="status" />}
    </div>
  );
}

interface AccountFormProps {
  readonly name: FormName;
  readonly title: string;
  readonly intro?: ReactNode;
  readonly call: KnownCall;
  /**
   * The next page, unless the URL has another one. Without a next page, the form shows a message instead. The login
   * page redirects signed-in users to the dashboard or the admin panel.
   */
  readonly nextPage?: 'login' | 'dashboard' | 'home' | 'account';
  readonly submit: string;
  /** Values from the page's URL that are sent along: the next page, or the secret of an emailed link. */
  readonly carries?: readonly ('next' | 'token')[];
  /** Shown below the form and its alternatives. */
  readonly below?: ReactNode;
  /** Whether a message replaces the form and the introduction after submission. */
  readonly isOnce?: boolean;
  /** Offers Google. The Worker removes it if Google is not set up. */
  readonly withGoogle?: boolean;
  /** The button that uses a passkey instead. It appears if the browser supports passkeys. */
  readonly passkey?: string;
  readonly children?: ReactNode;
  readonly links?: ReactNode;
}

interface OtherWayProps {
  readonly to: 'login' | 'register';
  readonly lead: string;
  readonly children: ReactNode;
}

/** The link from sign-up to login, or from login to sign-up, as prominent as the form. It keeps the next page. */
export const OtherWay = ({ to, lead, children }: OtherWayProps) => (
  <div className={css['other']}>
    <p className={divider['divider']}>{lead}</p>
    <LinkButton href={linkTo(to)} variant="secondary" data-keep-next>
      {children}
    </LinkButton>
  </div>
);

export function AccountForm(props: AccountFormProps) {
  const { name, title, intro, call, nextPage, submit, carries = [], passkey, children, links } = props;
  const needsLink = carries.includes('token') || call.endsWith('/:id');
  const goes = {
    ...(props.isOnce && { 'data-until-done': '' }),
    ...(needsLink && { 'data-needs-link': '' }),
  };
  return (
    <div className={css['page']}>
      <h1>{title}</h1>
      {intro !== undefined && (
        <p className={css['intro']} {...goes}>
          {intro}
        </p>
      )}
      {needsLink && (
        <p className={css['intro']} data-without-link hidden>
          This page opens only from a link in one of our emails. If the link was cut off, copy all of it into
          the address bar.
        </p>
      )}
      {carries.includes('next') && <p className={css['chosen']} data-next hidden />}
      <div className={css['notice']} data-notice tabIndex={-1} hidden />
      {passkey !== undefined && (
        <p data-reload hidden>
          <ReloadButton />
        </p>
      )}
      <form
        method="post"
        action={callAddress(call)}
        className={css['form']}
        data-account-form={name}
        {...goes}
        data-next-page={nextPage && linkTo(nextPage)}
        noValidate
      >
        {carries.map((value) => (
          <input key={value} type="hidden" name={value} defaultValue="" />
        ))}
        {children}
        <Button
          type="submit"
          icon={<span className={classNames(button['spinner'], css['busy'])} aria-hidden="true" />}
        >
          {submit}
        </Button>
      </form>
      {passkey !== undefined && (
        <p className={css['passkey']} data-passkey={name} {...goes} hidden>
          <Button variant="secondary" icon={<Fingerprint size="1.25rem" />}>
            {passkey}
          </Button>
        </p>
      )}
      {props.withGoogle && (
        <p className={css['google']} data-google>
          <LinkButton href={callAddress('GET /auth/google')} variant="secondary" data-keep-next>
            Continue with Google
          </LinkButton>
        </p>
      )}
      {props.below}
      {links !== undefined && <p className={classNames('targets', css['links'])}>{links}</p>}
    </div>
  );
}
