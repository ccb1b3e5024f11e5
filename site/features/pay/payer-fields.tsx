/** The payer's details, which the order does not contain for a payer who only has the link. */
import { emailTexts } from '#contract/account-rules.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { textsIn } from '#site/app/use-form.ts';
import { Field } from '#site/ui/field.tsx';
import type { Payer } from './card-payment.ts';

const names = ['payerName', 'payerEmail'] as const;

export function readPayer(form: HTMLFormElement): Payer {
  const { payerName, payerEmail } = textsIn(form, names);
  return { name: payerName.trim(), email: payerEmail.trim() };
}

export function payerErrors(form: HTMLFormElement): FieldErrors {
  const { name, email } = readPayer(form);
  const input = form.elements.namedItem(names[1]);
  const isInvalid = input instanceof HTMLInputElement && !input.validity.valid;
  return {
    ...(name === '' && { payerName: 'Please enter the name on the card' }),
    ...(isInvalid && { payerEmail: emailTexts.invalid }),
    ...(email === '' && { payerEmail: emailTexts.required }),
  };
}

export const PayerFields = () => (
  <>
    <Field
      label="Name"
      name={names[0]}
      autoComplete="cc-name"
      required
      maxLength={200}
      placeholder="The name on the card"
    />
    <Field
      label="Email"
      name={names[1]}
      type="email"
      autoComplete="email"
      required
      maxLength={254}
      placeholder="you@example.com"
      help="We send your receipt to this address and share it with Stripe, our payment provider."
    />
  </>
);
