/** The only field of the payment key. */
import { keyPatterns, keyTexts } from '#contract/payments.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { Field } from '#site/ui/field.tsx';
import type { Values } from '../content/content-calls.ts';
import { fieldId } from '../content/editor/edit-form.tsx';
import type { Labels } from '../content/editor/record-changes.ts';
import type { Draft } from '../content/editor/use-draft.ts';

export const keyLabels: Labels = { stripeKey: 'Publishable key' };
export const keySaved = 'Stripe Key Updated';

export function keyErrors({ stripeKey = '' }: Values): FieldErrors {
  const key = stripeKey.trim();
  if (key === '') return { stripeKey: keyTexts.required };
  if (keyPatterns.secret.test(key)) return { stripeKey: keyTexts.secret };
  return keyPatterns.publishable.test(key) ? {} : { stripeKey: keyTexts.other };
}

export function KeyField({ draft: { values, setValue } }: { readonly draft: Draft }) {
  return (
    <Field
      id={fieldId('payment-key', 'stripeKey')}
      name="stripeKey"
      label="Publishable key"
      help="Begins with pk_test_ or pk_live_. Never type the secret key (sk_…) here. Whoever set up this site stores it separately."
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      required
      value={values['stripeKey'] ?? ''}
      onChange={({ target }) => setValue('stripeKey', target.value)}
    />
  );
}
