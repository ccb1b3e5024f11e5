/** One's own account: email, password, where one is signed in, and one's data. */
import { linkTo } from '#contract/screens.ts';
import { useState } from 'react';
import { adminPasswordMinLength, passwordLength, passwordTexts } from '#contract/account-rules.ts';
import type { SessionEntry, SignedIn } from '#contract/accounts.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { Alert } from '#components/alert.tsx';
import { Badge } from '#components/badge.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { ConfirmDialog } from '#components/confirm-dialog.tsx';
import { Dialog } from '#components/dialog.tsx';
import { Field } from '#components/field.tsx';
import { Table, type Column } from '#components/table.tsx';
import { ToastProvider, useToast } from '#components/toast.tsx';
import { Failure, WhenLoaded } from '../shared/failure.tsx';
import { Moment } from '../shared/moment.tsx';
import { readSession } from '../shared/session.ts';
import { useAction } from '../shared/use-action.ts';
import { useForm } from '../shared/use-form.ts';
import { useLoaded } from '../shared/use-loaded.ts';
import { addressWith, makeCall } from '../shared/call.ts';
import { ScreenFrame } from '../shared/screen-frame.tsx';
import css from './account-screen.module.css';

export default function AccountScreen() {
  const account = useLoaded('account', readSession);
  return (
    <ToastProvider>
      <ScreenFrame title="Your account">
        <WhenLoaded loaded={account}>
          {(data) => (
            <div className={css['columns']}>
              <div className={css['column']}>
                {data && <EmailCard account={data} />}
                <SessionsCard />
              </div>
              <div className={css['column']}>
                <PasswordCard email={data?.email ?? ''} />
                <DataCard />
              </div>
            </div>
          )}
        </WhenLoaded>
      </ScreenFrame>
    </ToastProvider>
  );
}

function EmailCard({ account: { email, emailVerified } }: { readonly account: SignedIn }) {
  const showToast = useToast();
  const { act, isBusy, error } = useAction();
  const resend = () =>
    act(async () => {
      await makeCall('POST /auth/verify/resend');
      showToast('We have sent you a new link.');
    });
  return (
    <Card
      title="Email"
      aside={
        <Badge tone={emailVerified ? 'success' : 'warning'}>
          {emailVerified ? 'Verified' : 'Not verified'}
        </Badge>
      }
    >
      <p>{email}</p>
      {!emailVerified && (
        <>
          <p className={css['note']}>
            Open the link that we mailed to you. You can order and pay without it.
          </p>
          {error && <Failure error={error} />}
          <Button variant="secondary" busy={isBusy} onClick={() => void resend()}>
            Send a new link
          </Button>
        </>
      )}
    </Card>
  );
}

function checkPasswords(current: string, chosen: string): FieldErrors {
  return {
    ...(current === '' && { currentPassword: passwordTexts.required }),
    ...(chosen === ''
      ? { newPassword: passwordTexts.required }
      : chosen.length < passwordLength.min && { newPassword: passwordTexts.short }),
  };
}

function PasswordCard({ email }: { readonly email: string }) {
  const showToast = useToast();
  const [typed, setTyped] = useState({ currentPassword: '', newPassword: '' });
  const { ref, errors, failure, isBusy, submit, clear } = useForm();
  const change = () =>
    submit({
      check: () => checkPasswords(typed.currentPassword, typed.newPassword),
      async send() {
        await makeCall('PUT /auth/password', { body: typed });
        setTyped({ currentPassword: '', newPassword: '' });
        showToast('Your password is changed, and your other devices are signed out.');
      },
    });
  const field = (name: keyof typeof typed) => ({
    name,
    type: 'password',
    value: typed[name],
    error: errors[name],
    required: true,
    maxLength: passwordLength.max,
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) => {
      setTyped({ ...typed, [name]: currentTarget.value });
      clear(name);
    },
  });

  return (
    <Card title="Password">
      <form
        ref={ref}
        className={css['form']}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          void change();
        }}
      >
        {/* Password managers file the new password under this name. */}
        <input type="text" name="username" autoComplete="username" value={email} readOnly hidden />
        <Field {...field('currentPassword')} label="Current password" autoComplete="current-password" />
        <Field
          {...field('newPassword')}
          label="New password"
          autoComplete="new-password"
          help={`At least ${passwordLength.min} characters; an administrator's at least ${adminPasswordMinLength}.`}
        />
        {failure && <Failure error={failure} />}
        <Button type="submit" busy={isBusy}>
          Change password
        </Button>
      </form>
    </Card>
  );
}

const When = ({ ms }: { readonly ms: number }) => <Moment at={new Date(ms).toISOString()} />;

const sessionColumns: readonly Column<SessionEntry>[] = [
  {
    key: 'device',
    header: 'Device',
    cell: ({ device, isCurrent }) => (
      <>
        {device} {isCurrent && <Badge tone="info">This one</Badge>}
      </>
    ),
  },
  { key: 'createdAt', header: 'Signed in', cell: ({ createdAt }) => <When ms={createdAt} /> },
  { key: 'lastUsedAt', header: 'Last used', cell: ({ lastUsedAt }) => <When ms={lastUsedAt} /> },
];

function SessionsCard() {
  const [isAsking, setIsAsking] = useState(false);
  const sessions = useLoaded('sessions', async (signal) => {
    return (await makeCall('GET /auth/sessions', { signal })).data;
  });
  const { act, isBusy, error } = useAction();
  const endAll = () =>
    act(async () => {
      await makeCall('DELETE /auth/sessions');
      location.assign(linkTo('login'));
    });
  return (
    <Card title="Where you are signed in">
      <WhenLoaded loaded={sessions}>
        {(rows) => (
          <Table
            caption="Devices that are signed in to your account"
            columns={sessionColumns}
            rows={rows}
            rowKey={({ device, createdAt }) => `${createdAt} ${device}`}
          />
        )}
      </WhenLoaded>
      {error && <Failure error={error} />}
      <Button variant="secondary" busy={isBusy} onClick={() => setIsAsking(true)}>
        Sign out everywhere
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title="Sign out everywhere?"
        confirm="Sign out everywhere"
        onConfirm={() => void endAll()}
      >
        Every device is signed out, this one too. You log in again with your password.
      </ConfirmDialog>
    </Card>
  );
}

function DataCard() {
  const [isAsking, setIsAsking] = useState(false);
  return (
    <Card title="Your data">
      <p className={css['note']}>
        Deleting your account takes your name, address and email from your orders; what accounting needs of
        them stays.
      </p>
      <div className={css['actions']}>
        <LinkButton variant="secondary" href={addressWith('GET /auth/account')} download="my-data.json">
          Download my data
        </LinkButton>
        <Button variant="danger" onClick={() => setIsAsking(true)}>
          Delete my account
        </Button>
      </div>
      <Dialog open={isAsking} onClose={() => setIsAsking(false)} title="Delete your account?">
        <DeleteForm onKeep={() => setIsAsking(false)} />
      </Dialog>
    </Card>
  );
}

function DeleteForm({ onKeep }: { readonly onKeep: () => void }) {
  const [password, setPassword] = useState('');
  const { ref, errors, failure, isBusy, submit } = useForm();
  async function remove() {
    await makeCall('DELETE /auth/account', { body: password === '' ? {} : { password } });
    location.assign(linkTo('home'));
  }
  return (
    <form
      ref={ref}
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void submit({ send: remove });
      }}
    >
      <Alert tone="warning">This cannot be undone.</Alert>
      <Field
        id="delete-password"
        name="password"
        type="password"
        label="Your password"
        help="Leave it empty if you only sign in with Google."
        autoComplete="current-password"
        maxLength={passwordLength.max}
        value={password}
        error={errors['password']}
        onChange={({ currentTarget }) => setPassword(currentTarget.value)}
      />
      {failure && <Failure error={failure} />}
      <div className={css['actions']}>
        <Button variant="secondary" onClick={onKeep}>
          Keep it
        </Button>
        <Button type="submit" variant="danger" busy={isBusy}>
          Delete my account
        </Button>
      </div>
    </form>
  );
}
