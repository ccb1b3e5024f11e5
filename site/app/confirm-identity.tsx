/** Asks users to confirm their identity, in a dialog over the current screen, so that no typed text is lost. */
import { useEffect, useEffectEvent, useRef, useState, type ReactNode } from 'react';
import { QueryClientProvider } from '@tanstack/react-query';
import { Fingerprint } from 'lucide-react';
import type { RequestOptions } from '#contract/passkeys.calls.ts';
import { callAddress } from '#contract/call-address.ts';
import { passwordLength } from '#contract/password-rules.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { Dialog, DialogActions, openDialog } from '#site/ui/dialog.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { ActionButton } from './action-button.tsx';
import { api, type CallData } from './call.ts';
import { Failure } from './failure.tsx';
import { QueryBoundary } from './query-boundary.tsx';
import { queryClient, useReadOnce } from './query.ts';
import { useForm } from './use-form.ts';
import { stack } from '#site/ui/layout.ts';

interface ConfirmProps {
  readonly onConfirmed: () => void;
}

interface CancelProps {
  /** The button that closes the dialog. */
  readonly cancel: ReactNode;
}

function ByPassword({ onConfirmed, cancel }: ConfirmProps & CancelProps) {
  const [password, setPassword] = useState('');
  const { ref, errors, failure, isBusy, submit } = useForm();
  const send = async () => {
    await api('POST /auth/confirm', { body: { password } });
    onConfirmed();
  };
  return (
    <Form ref={ref} errors={errors} className={stack(4)} noValidate={false} onSend={() => submit({ send })}>
      <Field
        id="confirm-password"
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={passwordLength.max}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
      />
      <Failure error={failure} />
      <DialogActions>
        {cancel}
        <Button type="submit" busy={isBusy}>
          Confirm
        </Button>
      </DialogActions>
    </Form>
  );
}

function ByPasskey({ options, onConfirmed }: ConfirmProps & { readonly options: RequestOptions }) {
  // The options can be used only once, even if the attempt fails.
  const next = useRef<RequestOptions | null>(options);
  const confirm = async () => {
    const { showPasskey } = await import('./passkey.ts');
    const asked = next.current ?? (await api('GET /auth/confirm')).data.passkey ?? options;
    next.current = null;
    await api('POST /auth/confirm', { body: { assertion: await showPasskey(asked) } });
  };
  return (
    <ActionButton
      variant="secondary"
      icon={<Fingerprint size="1.25rem" />}
      action={confirm}
      // The call that asked for the confirmation then continues.
      changesNothing
      showsError
      onSuccess={onConfirmed}
    >
      Use your fingerprint, face or screen lock
    </ActionButton>
  );
}

/** Google opens in a separate tab, so that typed text stays here. This component checks when the user returns. */
function ByGoogle({ onConfirmed }: ConfirmProps) {
  const look = useEffectEvent(async () => {
    const { data } = await api('GET /auth/confirm').catch(() => ({ data: undefined }));
    if (data?.isConfirmed) onConfirmed();
  });
  useEffect(() => {
    const onFocus = () => void look();
    window.addEventListener('focus', onFocus);
    return () => window.removeEventListener('focus', onFocus);
  }, []);
  return (
    <LinkButton variant="secondary" href={`${callAddress('GET /auth/google')}?confirm`} target="_blank">
      Continue with Google (new tab)
    </LinkButton>
  );
}

interface WaysProps extends ConfirmProps, CancelProps {
  readonly ways: CallData<'GET /auth/confirm'>;
}

/** The available methods. The first one gets the focus. While they loaded, the focus was on the close button. */
function Ways({ ways: { password, passkey, google }, onConfirmed, cancel }: WaysProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>('button, a, input')?.focus(), []);
  return (
    <div ref={place} className={stack(4)}>
      <p>
        {password || google
          ? 'You logged in a while ago. To continue, confirm that it is you.'
          : 'To continue, confirm with your passkey that it is you.'}
      </p>
      {passkey && 'PublicKeyCredential' in window && (
        <ByPasskey options={passkey} onConfirmed={onConfirmed} />
      )}
      {google && <ByGoogle onConfirmed={onConfirmed} />}
      {password && <ByPassword onConfirmed={onConfirmed} cancel={cancel} />}
    </div>
  );
}

function ConfirmForm({ onConfirmed, onCancel }: ConfirmProps & { readonly onCancel: () => void }) {
  const ways = useReadOnce('GET /auth/confirm');
  const cancel = (
    <Button variant="secondary" onClick={onCancel}>
      Cancel
    </Button>
  );
  return (
    <div className={stack(4)}>
      <QueryBoundary query={ways} lines={3}>
        {({ data }) => <Ways ways={data} onConfirmed={onConfirmed} cancel={cancel} />}
      </QueryBoundary>
      {!ways.data?.data.password && <DialogActions>{cancel}</DialogActions>}
    </div>
  );
}

export const confirmIdentity = (): Promise<boolean> =>
  openDialog((answer) => (
    <QueryClientProvider client={queryClient}>
      <Dialog open onClose={() => answer(false)} title="Confirm that it is you">
        <ConfirmForm onConfirmed={() => answer(true)} onCancel={() => answer(false)} />
      </Dialog>
    </QueryClientProvider>
  ));
