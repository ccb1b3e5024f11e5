/** Name, address and country of who an order is for. */
import type { FieldErrors } from '#contract/problem.ts';
import { Field, SelectField, TextAreaField } from '#site/ui/field.tsx';
import { countryNames, homeCountry } from './countries.ts';
import { textsIn } from '#site/app/use-form.ts';

const names = ['customerName', 'customerAddress', 'customerCountry'] as const;

export type Address = Readonly<Record<(typeof names)[number], string>>;

export interface AddressFieldsProps {
  /** What the fields begin with. */
  readonly start?: Address | undefined;
  readonly errors: FieldErrors;
  /** Whether the customer types it, so that the browser may fill it in. */
  readonly isOwn?: boolean;
}

const countries = countryNames();

export function AddressFields({ start, errors, isOwn = false }: AddressFieldsProps) {
  return (
    <>
      <Field
        label="Name"
        name="customerName"
        autoComplete={isOwn ? 'name' : undefined}
        required
        maxLength={200}
        defaultValue={start?.customerName}
        placeholder={isOwn ? 'Maria Lopez' : undefined}
        error={errors['customerName']}
      />
      <TextAreaField
        label="Address"
        name="customerAddress"
        autoComplete={isOwn ? 'street-address' : undefined}
        required
        rows={3}
        maxLength={500}
        defaultValue={start?.customerAddress}
        placeholder={isOwn ? '120 Main Street\nJoliet, IL 60432' : 'Street, city, state and postal code'}
        error={errors['customerAddress']}
      />
      <SelectField
        label="Country"
        name="customerCountry"
        autoComplete={isOwn ? 'country-name' : undefined}
        required
        defaultValue={start?.customerCountry || (homeCountry()?.name ?? '')}
        error={errors['customerCountry']}
      >
        <option value="">{isOwn ? 'Choose your country' : 'Choose a country'}</option>
        {countries.map((country) => (
          <option key={country}>{country}</option>
        ))}
      </SelectField>
    </>
  );
}

/** What a form says of them. */
export const readAddress = (form: HTMLFormElement): Address => textsIn(form, names);
