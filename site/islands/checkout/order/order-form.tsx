/** Who the order is for, and the package beside it. What is typed stays, whatever goes wrong. */
import { displayPriceText } from '../../../../worker/contract/money.ts';
import { useEffect, useRef, useState } from 'react';
import { Alert } from '../../../components/alert.tsx';
import { Button } from '../../../components/button.tsx';
import { Field, SelectField, TextAreaField } from '../../../components/field.tsx';
import { useUnsavedGuard } from '../../shared/use-unsaved-guard.ts';
import { Failure } from '../../shared/failure.tsx';
import { TwoColumns } from '../../shared/screen-frame.tsx';
import { countryNames } from './countries.ts';
import type { Package } from './package.ts';
import { PackageSummary } from './package-summary.tsx';
import type { Customer } from './place-order.ts';
import { PriceQuestion } from './price-question.tsx';
import { useOrder } from './use-order.ts';
import css from './order-form.module.css';

const countries = countryNames();

function readCustomer(form: HTMLFormElement): Customer {
  const data = new FormData(form);
  const text = (name: keyof Customer) => {
    const value = data.get(name);
    return typeof value === 'string' ? value : '';
  };
  return {
    customerName: text('customerName'),
    customerAddress: text('customerAddress'),
    customerCountry: text('customerCountry'),
  };
}

export function OrderForm({ chosen, email }: { readonly chosen: Package; readonly email: string }) {
  const form = useRef<HTMLFormElement>(null);
  const [isDirty, setDirty] = useState(false);
  const order = useOrder(chosen, email);
  const { fieldErrors } = order;
  useUnsavedGuard(isDirty && !order.isPlaced);

  useEffect(() => {
    // The guard above is off by now, so that nobody is asked whether to leave a form that has been sent.
    if (order.isPlaced) location.assign('/pending-order');
  }, [order.isPlaced]);

  useEffect(() => {
    const first = form.current?.querySelector('[aria-invalid]');
    if (first instanceof HTMLElement) first.focus();
  }, [fieldErrors]);

  const send = () => (form.current ? order.send(readCustomer(form.current)) : Promise.resolve());

  return (
    <TwoColumns
      aside={<PackageSummary chosen={chosen} price={order.price} formerPrice={order.formerPrice} />}
    >
      <form
        ref={form}
        className={css['form']}
        noValidate
        onChange={() => setDirty(true)}
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <ErrorSummary errors={Object.values(fieldErrors)} />
        {order.error && Object.keys(fieldErrors).length === 0 && <Failure error={order.error} />}
        <Field
          label="Email"
          name="customerEmail"
          type="email"
          value={email}
          readOnly
          help="The order belongs to the account that you are signed in with."
          error={fieldErrors['customerEmail']}
        />
        <Field
          label="Name"
          name="customerName"
          autoComplete="name"
          required
          maxLength={200}
          placeholder="Your full name"
          error={fieldErrors['customerName']}
        />
        <TextAreaField
          label="Address"
          name="customerAddress"
          autoComplete="street-address"
          required
          rows={3}
          maxLength={500}
          placeholder="Street, city, state and postal code"
          error={fieldErrors['customerAddress']}
        />
        <SelectField
          label="Country"
          name="customerCountry"
          autoComplete="country-name"
          required
          defaultValue=""
          error={fieldErrors['customerCountry']}
        >
          <option value="">Choose your country</option>
          {countries.map((country) => (
            <option key={country}>{country}</option>
          ))}
        </SelectField>
        <div className={css['send']}>
          <Button type="submit" busy={order.isBusy}>
            Place Order
          </Button>
          <span className={css['total']}>{displayPriceText(order.price)} in all</span>
        </div>
      </form>
      <PriceQuestion
        packageName={chosen.packageName}
        price={order.price}
        formerPrice={order.formerPrice ?? order.price}
        isOpen={order.asksAboutPrice}
        onOrder={send}
        onClose={order.closeQuestion}
      />
    </TwoColumns>
  );
}

function ErrorSummary({ errors }: { readonly errors: readonly string[] }) {
  if (errors.length === 0) return null;
  return (
    <Alert title="Please check what you typed">
      <ul className={css['errors']}>
        {errors.map((error) => (
          <li key={error}>{error}</li>
        ))}
      </ul>
    </Alert>
  );
}
