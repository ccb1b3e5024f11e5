/** The payment key, which can also be added later. */
import { Button } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { makeCall, typedIn } from '#site/islands/shared/call.ts';
import { useForm } from '#site/islands/shared/use-form.ts';
import { Step } from './step.tsx';

/** The step before took its button, and the focus, with it. */
const takeFocus = (input: HTMLInputElement | null) => input?.focus();

const addKey = (form: HTMLFormElement) =>
  makeCall('POST /add-stripe-key', { body: typedIn('POST /add-stripe-key', form) });

export function PaymentKeyStep({ onDone }: { readonly onDone: () => void }) {
  const form = useForm();
  return (
    <Step
      number={2}
      title="Add your payment key"
      intro="With it customers can pay by card. You can also add it later."
      label="Add payment key"
      form={form}
      send={addKey}
      onDone={onDone}
      aside={
        <Button variant="quiet" onClick={onDone}>
          Later
        </Button>
      }
    >
      <Field
        ref={takeFocus}
        name="stripeKey"
        label="Publishable key"
        help="Begins with pk_test_ or pk_live_. Never type the secret key."
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
        error={form.errors['stripeKey']}
      />
    </Step>
  );
}
