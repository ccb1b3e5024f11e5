/** Deleting the account, with its password. */
import { useState } from 'react';
import { passwordLength } from '#contract/password-rules.ts';
import { linkTo } from '#contract/screens.ts';
import { Alert } from '#components/alert.tsx';
import { Button } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure } from '../shared/failure.tsx';
import { useForm } from '../shared/use-form.ts';
import css from './account-screen.module.css';

export function DeleteForm({ onKeep }: { readonly onKeep: () => void }) {
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
        help="Leave it empty if your account has none."
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
