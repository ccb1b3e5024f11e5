/** The payer's details, which the order does not contain for a payer who only has the link. */
import { emailTexts } from '#contract/account-rules.ts';
import { Field } from '#site/ui/field.tsx';
import type { Payer } from './card-payment.ts';

export interface PayerErrors {
  readonly name?: string | undefined;
  readonly email?: string | undefined;
}

const names = { name: 'payerName', email: 'payerEmail' } as const;

/** Returns the typed payer or the errors. The first invalid field gets the focus. */
export function readPayer(form: HTMLFormElement): { payer?: Payer; errors: PayerErrors } {
  const input = (name: string) => {
    const element = form.elements.namedItem(name);
    return element instanceof HTMLInputElement ? element : undefined;
  };
  const name = input(names.name);
  const email = input(names.email);
  const payer = { name: name?.value.trim() ?? '', email: email?.value.trim() ?? '' };
  const errors: PayerErrors = {
    ...(payer.name === '' && { name: 'Please enter the name on the card' }),
    ...(email?.validity.valid === false && { email: emailTexts.invalid }),
    ...(payer.email === '' && { email: emailTexts.required }),
  };
  (errors.name ? name : errors.email ? email : undefined)?.focus();
  return errors.name || errors.email ? { errors } : { payer, errors };
}

interface PayerFieldsProps {
  readonly errors: PayerErrors;
  /** Called when a field changes, because its error is about the previous value. */
  readonly onChange: (field: keyof PayerErrors) => void;
}

export function PayerFields({ errors, onChange }: PayerFieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name={names.name}
        autoComplete="cc-name"
        required
        maxLength={200}
        placeholder="The name on the card"
        error={errors.name}
        onChange={() => onChange('name')}
      />
      <Field
        label="Email"
        name={names.email}
        type="email"
        autoComplete="email"
        inputMode="email"
        required
        maxLength={254}
        placeholder="you@example.com"
        help="We send your receipt to this address, and Stripe gets the address with the payment."
        error={errors.email}
        onChange={() => onChange('email')}
      />
    </>
  );
}
