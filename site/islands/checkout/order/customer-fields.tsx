/** Who an order is for. */
import type { FieldErrors } from '#contract/problem.ts';
import { Field, SelectField, TextAreaField } from '#components/field.tsx';
import { BillingFields, readBilling } from '#site/islands/shared/billing-fields.tsx';
import { countryNames } from './countries.ts';
import type { Customer } from './place-order.ts';

const countries = countryNames();

export interface CustomerFieldsProps {
  /** The email of the account, which is not the form's to choose. */
  readonly email: string;
  /** What the fields begin with. */
  readonly customer: Customer | undefined;
  readonly errors: FieldErrors;
}

export function CustomerFields({ email, customer, errors }: CustomerFieldsProps) {
  return (
    <>
      <Field
        label="Email"
        name="customerEmail"
        type="email"
        value={email}
        readOnly
        help="The order belongs to the account that you are signed in with."
        error={errors['customerEmail']}
      />
      <Field
        label="Name"
        name="customerName"
        autoComplete="name"
        required
        maxLength={200}
        defaultValue={customer?.customerName}
        placeholder="Maria Lopez"
        error={errors['customerName']}
      />
      <TextAreaField
        label="Address"
        name="customerAddress"
        autoComplete="street-address"
        required
        rows={3}
        maxLength={500}
        defaultValue={customer?.customerAddress}
        placeholder={'120 Main Street\nJoliet, IL 60432'}
        error={errors['customerAddress']}
      />
      <SelectField
        label="Country"
        name="customerCountry"
        autoComplete="country-name"
        required
        defaultValue={customer?.customerCountry ?? ''}
        error={errors['customerCountry']}
      >
        <option value="">Choose your country</option>
        {countries.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </SelectField>
      <BillingFields details={customer} errors={errors} />
    </>
  );
}

/** What the form says of the customer. */
export function readCustomer(form: HTMLFormElement): Customer {
  const data = new FormData(form);
  const text = (name: 'customerName' | 'customerAddress' | 'customerCountry') => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    customerName: text('customerName'),
    customerAddress: text('customerAddress'),
    customerCountry: text('customerCountry'),
    ...readBilling(form),
  };
}
