/** Gives a passkey a name that its owner recognizes. */
import type { Passkey } from '#contract/passkeys.calls.ts';
import { Button } from '#site/ui/button.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { api } from '../app/call.ts';
import { Failure } from '../app/failure.tsx';
import { refetchScreen } from '../app/query.ts';
import { textsIn, useForm } from '../app/use-form.ts';
import { cluster, stack } from '#site/ui/layout.ts';

interface NamePasskeyProps {
  readonly passkey: Passkey;
  readonly onEnd: () => void;
}

export function NamePasskey({ passkey: { _id, name: former }, onEnd }: NamePasskeyProps) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const send = async (form: HTMLFormElement) => {
    await api('PUT /auth/passkeys/:id', { id: _id, body: textsIn(form, ['name']) });
    void refetchScreen();
    onEnd();
  };
  return (
    <Dialog open onClose={onEnd} title={`Rename ${former}`}>
      <Form ref={ref} className={stack(4)} onSend={(form) => submit({ send: () => send(form) })}>
        <Field
          id="passkey-name"
          name="name"
          label="Name"
          help="Such as “My phone” or “Laptop at the office”."
          autoComplete="off"
          maxLength={60}
          defaultValue={former}
          error={errors['name']}
        />
        {failure && <Failure error={failure} />}
        <div className={cluster(3)}>
          <Button variant="secondary" onClick={onEnd}>
            Cancel
          </Button>
          <Button type="submit" busy={isBusy}>
            Save
          </Button>
        </div>
      </Form>
    </Dialog>
  );
}
