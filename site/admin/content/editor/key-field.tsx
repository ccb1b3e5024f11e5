/** The only field of the payment key. */
import { Field } from '#site/ui/field.tsx';
import { fieldId } from './edit-form.tsx';
import type { Labels } from './record-changes.ts';
import type { Draft } from './use-draft.ts';

export const keyLabels: Labels = { stripeKey: 'Publishable key' };
/** The toast after a save. */
export const keySaved = 'Stripe Key Updated';

export function KeyField({ draft: { values, errors, setValue } }: { readonly draft: Draft }) {
  return (
    <Field
      id={fieldId('payment-key', 'stripeKey')}
      name="stripeKey"
      label="Publishable key"
      help="Begins with pk_test_ or pk_live_. Never type the secret key here. It is a setting of the Worker."
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      required
      value={values['stripeKey'] ?? ''}
      error={errors['stripeKey']}
      onChange={({ target }) => setValue('stripeKey', target.value)}
    />
  );
}
