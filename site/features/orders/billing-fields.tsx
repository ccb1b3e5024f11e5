/** Company and tax number for the receipt. Few customers need them, so they are folded away until somebody does. */
import { useState, type ReactNode } from 'react';
import type { BillingDetails } from '#contract/orders.calls.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { Field } from '#site/ui/field.tsx';
import { textsIn } from '#site/app/use-form.ts';
import css from './billing-fields.module.css';

export interface BillingFieldsProps {
  /** What the fields begin with. */
  readonly details: BillingDetails | undefined;
  readonly errors: FieldErrors;
  /** Folds them even if there are details. */
  readonly startsFolded?: boolean;
  /** What stands below the fields. */
  readonly children?: ReactNode;
}

export function BillingFields({ details, errors, startsFolded = false, children }: BillingFieldsProps) {
  const { customerCompany = '', customerTaxNumber = '' } = details ?? {};
  // Once unfolded, they are folded by hand alone: what is said of clearing or mending them stands below them.
  const [isUnfolded, setUnfolded] = useState(
    !startsFolded && (customerCompany !== '' || customerTaxNumber !== ''),
  );
  const isWrong = Boolean(errors['customerCompany'] ?? errors['customerTaxNumber']);
  if (isWrong && !isUnfolded) setUnfolded(true);
  return (
    <details className={css['billing']} open={isUnfolded || undefined}>
      <summary className={css['summary']}>Company or tax number on the receipt</summary>
      <div className={css['fields']}>
        <Field
          label="Company"
          name="customerCompany"
          autoComplete="organization"
          required={false}
          maxLength={200}
          defaultValue={customerCompany}
          placeholder="Lopez Lending LLC"
          error={errors['customerCompany']}
        />
        <Field
          label="Tax number"
          name="customerTaxNumber"
          autoComplete="off"
          required={false}
          maxLength={50}
          defaultValue={customerTaxNumber}
          placeholder="EIN 12-3456789"
          error={errors['customerTaxNumber']}
        />
        {children}
      </div>
    </details>
  );
}

/** What a form says of the billing details. */
export const readBilling = (form: HTMLFormElement): Required<BillingDetails> =>
  textsIn(form, ['customerCompany', 'customerTaxNumber']);
