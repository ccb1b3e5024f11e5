/** The customer's name, address and country on an order. */
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { countryNames, homeCountry } from './countries.ts';
import { textsIn } from '#site/app/use-form.ts';

const names = ['customerName', 'customerAddress', 'customerCountry'] as const;

export type Address = Readonly<Record<(typeof names)[number], string>>;

interface AddressFieldsProps {
  readonly start?: Address | undefined;
  /** Whether the customer fills in the form, so that the browser may offer their own details. */
  readonly isOwn?: boolean;
}

const countries = countryNames();

export function AddressFields({ start, isOwn = false }: AddressFieldsProps) {
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
      />
      <TextAreaField
        label="Address"
        name="customerAddress"
        autoComplete={isOwn ? 'street-address' : undefined}
        required
        rows={3}
        maxLength={500}
        defaultValue={start?.customerAddress}
        placeholder={isOwn ? '120 Main Street\nJoliet, IL 60432' : 'Street, city, state and ZIP code'}
      />
      <SelectField
        label="Country"
        name="customerCountry"
        autoComplete={isOwn ? 'country-name' : undefined}
        required
        options={[['', isOwn ? 'Choose your country' : 'Choose a country'], ...countries]}
        defaultValue={start?.customerCountry || (homeCountry()?.name ?? '')}
      />
    </>
  );
}

export const readAddress = (form: HTMLFormElement): Address => textsIn(form, names);
