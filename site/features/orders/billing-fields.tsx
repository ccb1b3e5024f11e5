/** The company, tax number and email for a copy of the receipt. Few customers need them, so they are collapsed. */
import { useContext, useState, type ReactNode } from 'react';
import { billingFields } from '#contract/orders.ts';
import type { BillingDetails } from '#contract/orders.calls.ts';
import { Field, FormErrors } from '#site/ui/field.tsx';
import { textsIn } from '#site/app/use-form.ts';
import { classNames } from '#site/ui/class-names.ts';
import summary from '#site/ui/summary.module.css';
import { stack } from '#site/ui/layout.ts';
import css from './billing-fields.module.css';

interface BillingFieldsProps {
  readonly details: BillingDetails | undefined;
  /** Collapses the fields at first, even if they have values. */
  readonly startsFolded?: boolean;
  /** Whether the receipt has not been sent yet, so that the customer can ask for a copy. */
  readonly isCopyOffered?: boolean;
  readonly children?: ReactNode;
}

export function BillingFields({
  details,
  startsFolded = false,
  isCopyOffered = true,
  children,
}: BillingFieldsProps) {
  const { customerCompany = '', customerTaxNumber = '', receiptCopyEmail = '' } = details ?? {};
  // Once the fields are expanded, only the user collapses them, because a message about changes appears below them.
  const [isUnfolded, setUnfolded] = useState(
    !startsFolded && (customerCompany !== '' || customerTaxNumber !== '' || receiptCopyEmail !== ''),
  );
  const errors = useContext(FormErrors);
  const isWrong = billingFields.some((field) => errors[field]);
  if (isWrong && !isUnfolded) setUnfolded(true);
  return (
    <details open={isUnfolded || undefined}>
      <summary className={classNames(summary['summary'], summary['more'])}>
        {isCopyOffered ? 'Company, tax number or a copy of the receipt' : 'Company or tax number'}
      </summary>
      <div className={stack(4, css['fields'])}>
        <Field
          label="Company"
          name="customerCompany"
          autoComplete="organization"
          required={false}
          maxLength={200}
          defaultValue={customerCompany}
          placeholder="Lopez Lending LLC"
        />
        <Field
          label="Tax number"
          name="customerTaxNumber"
          autoComplete="off"
          required={false}
          maxLength={50}
          defaultValue={customerTaxNumber}
          placeholder="EIN 12-3456789"
        />
        {isCopyOffered ? (
          <Field
            label="Send a copy of the receipt to"
            name="receiptCopyEmail"
            type="email"
            autoComplete="off"
            required={false}
            maxLength={254}
            defaultValue={receiptCopyEmail}
            placeholder="books@lopezlending.com"
            help="An email address, such as your bookkeeper’s. We send the copy when the order is paid."
          />
        ) : (
          <input type="hidden" name="receiptCopyEmail" value={receiptCopyEmail} />
        )}
        {children}
      </div>
    </details>
  );
}

export const readBilling = (form: HTMLFormElement): Required<BillingDetails> => textsIn(form, billingFields);
