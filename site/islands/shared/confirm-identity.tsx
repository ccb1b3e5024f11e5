/**
 * Asks for the password when a call wants to know for sure that its caller is there. It is loaded and shown by the call
 * itself (call.ts), over whatever screen is open, which keeps what was typed.
 */
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { passwordLength } from '#contract/password-rules.ts';
import { Button } from '#components/button.tsx';
import { Dialog } from '#components/dialog.tsx';
import { Field } from '#components/field.tsx';
import { makeCall } from './call.ts';
import { Failure } from './failure.tsx';
import { useForm } from './use-form.ts';
import css from './confirm-identity.module.css';

interface ConfirmFormProps {
  readonly onConfirmed: () => void;
  readonly onCancel: () => void;
}

function ConfirmForm({ onConfirmed, onCancel }: ConfirmFormProps) {
  const [password, setPassword] = useState('');
  const { ref, errors, failure, isBusy, submit } = useForm();
  const send = async () => {
    await makeCall('POST /auth/confirm', { body: { password } });
    onConfirmed();
  };
  return (
    <form
      ref={ref}
      className={css['form']}
      onSubmit={(event) => {
        event.preventDefault();
        void submit({ send });
      }}
    >
      <p>You signed in a while ago. Type your password to go on.</p>
      <Field
        name="password"
        label="Password"
        type="password"
        autoComplete="current-password"
        required
        maxLength={passwordLength.max}
        value={password}
        error={errors['password']}
        onChange={({ target }) => setPassword(target.value)}
      />
      {failure && <Failure error={failure} />}
      <div className={css['actions']}>
        <Button variant="secondary" onClick={onCancel}>
          Cancel
        </Button>
        <Button type="submit" busy={isBusy}>
          Confirm
        </Button>
      </div>
    </form>
  );
}

/** @returns whether the person confirmed that they are there */
export function confirmIdentity(): Promise<boolean> {
  const place = document.body.appendChild(document.createElement('div'));
  const root = createRoot(place);
  return new Promise((resolve) => {
    const end = (isConfirmed: boolean) => {
      root.unmount();
      place.remove();
      resolve(isConfirmed);
    };
    root.render(
      <Dialog open onClose={() => end(false)} title="Confirm that it is you">
        <ConfirmForm onConfirmed={() => end(true)} onCancel={() => end(false)} />
      </Dialog>,
    );
  });
}
