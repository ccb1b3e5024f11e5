/** The payer's country and postal code, which the card's bank verifies. They are prefilled from the order. */
import type { Order, OrderSummary } from '#contract/orders.calls.ts';
import { Field } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { countries, homeCountry } from '#site/features/orders/countries.ts';
import { textsIn } from '#site/app/use-form.ts';
import type { BillingAddress } from './card-payment.ts';
import { columns } from '#site/ui/layout.ts';
import css from './pay.module.css';

const names = ['billingCountry', 'billingPostalCode'] as const;

/** The postal code is the last one or two words of the address that contain digits. */
export function billedAs(order: Order | OrderSummary): BillingAddress {
  if (!('customerCountry' in order)) return { country: '', postal_code: '' };
  const { customerCountry, customerAddress } = order;
  const country = countries().find(({ name }) => name === customerCountry)?.code ?? '';
  return { country, postal_code: postalCodeIn(customerAddress, country) };
}

/** The format of postal codes in countries whose banks verify them. */
const postalCodes: ReadonlyMap<string, RegExp> = new Map([
  ['US', /\b\d{5}(?:-\d{4})?(?=\s*$)/],
  ['CA', /\b[A-Z]\d[A-Z] ?\d[A-Z]\d(?=\s*$)/i],
  ['GB', /\b[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}(?=\s*$)/i],
]);

const postalCodeIn = (address: string, country: string): string =>
  postalCodes.get(country)?.exec(address)?.[0] ?? '';

/** The values of the form. It omits empty ones. */
export function readBillingAddress(form: HTMLFormElement): Partial<BillingAddress> {
  const { billingCountry: country, billingPostalCode } = textsIn(form, names);
  const postal_code = billingPostalCode.trim();
  return { ...(country && { country }), ...(postal_code && { postal_code }) };
}

export function BillingFields({ order }: { readonly order: Order | OrderSummary }) {
  const { country, postal_code } = billedAs(order);
  return (
    <div className={columns(3, css['billing'])}>
      <SelectField
        label="Billing country"
        name={names[0]}
        autoComplete="billing country"
        options={[['', 'Choose a country'], ...countries().map(({ code, name }) => [code, name] as const)]}
        defaultValue={country || (homeCountry()?.code ?? '')}
      />
      <Field
        label="ZIP or postal code"
        name={names[1]}
        autoComplete="billing postal-code"
        maxLength={20}
        defaultValue={postal_code}
      />
    </div>
  );
}
