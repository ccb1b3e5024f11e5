/** Places an order for a customer who ordered by phone or email. */
import { useState, useEffect, useRef, type RefObject } from 'react';
import { useQuery } from '@tanstack/react-query';
import { displayNameOf, displayPackagePrice } from '#contract/packages.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { isDeliverable } from '#contract/account-rules.ts';
import type { KnownCustomer } from '#contract/orders.calls.ts';
import { Card } from '#site/ui/card.tsx';
import { named } from '#site/ui/firm-name.ts';
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { Form } from '#site/ui/form.tsx';
import { TwoColumns } from '#site/ui/screen-frame.tsx';
import { AddressFields } from '#site/features/orders/address-fields.tsx';
import { api, formBody, type CallData } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useForm } from '#site/app/use-form.ts';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { useSessionFields, typeInto } from '#site/app/use-session-fields.ts';
import { refetchScreen, useCall, callQuery } from '#site/app/query.ts';
import { ScreenFrame } from '../shell/screen.tsx';
import { emailParameter } from './order-links.ts';
import { columns } from '#site/ui/layout.ts';
import { homeCountry } from '#site/features/orders/countries.ts';
import { useDebouncedValue } from '#site/ui/use-debounced-value.ts';
import { fillIn } from './fill-in.ts';

type Packages = CallData<'GET /pricings'>;

export default function NewOrder() {
  const packages = useCall('GET /pricings');
  return (
    <ScreenFrame
      title="New order"
      back={{ href: linkTo('orders'), label: 'All orders' }}
      intro="For a customer who ordered by phone or email. They get an email with a payment link. If they have an account with this email, the order appears there."
    >
      <QueryBoundary query={packages} lines={8}>
        {(data) => <NewOrderForm packages={data} />}
      </QueryBoundary>
    </ScreenFrame>
  );
}

/** The email of the customer that the screen was opened for; empty if there is none. */
const emailInAddress = () => new URLSearchParams(location.search).get(emailParameter) ?? '';

function NewOrderForm({ packages }: { readonly packages: Packages }) {
  const [startEmail] = useState(emailInAddress);
  const [email, setEmail] = useState(startEmail);
  const { ref, ...form } = useForm();
  const forget = useSessionFields(ref, startEmail);
  const isKnown = useKnownCustomer(ref, email);
  const { keyFor, renew } = useIdempotencyKey(startEmail);

  async function send(element: HTMLFormElement) {
    const typed = formBody('POST /add-order', element);
    const chosen = packages.find(({ packageName }) => packageName === typed.packageName);
    const body = { ...typed, packagePrice: chosen?.packagePrice ?? '' };
    const { data } = await api('POST /add-order', { body, idempotencyKey: keyFor(body) });
    renew();
    forget();
    showToast(
      `Order ${displayOrderNumber(data.number)} placed. The payment link goes to ${data.customerEmail}.`,
    );
    location.assign(linkTo('order', data._id));
  }

  return (
    <Form
      ref={ref}
      errors={form.errors}
      onSend={(element) => form.submit({ send: () => send(element), onConflict: () => void refetchScreen() })}
    >
      <TwoColumns
        aside={
          <Card title="Order">
            <OrderFields packages={packages} />
            <SendButton form={form}>Place the order</SendButton>
          </Card>
        }
      >
        <Card title="Customer">
          <Field
            label="Email"
            name="customerEmail"
            type="email"
            required
            maxLength={254}
            placeholder="name@company.com"
            value={email}
            help={
              isKnown
                ? 'We know this customer. Empty fields are filled in from their last order.'
                : 'If we know the customer, their details are filled in.'
            }
            onChange={({ target }) => setEmail(target.value)}
          />
          <CustomerFields />
        </Card>
      </TwoColumns>
    </Form>
  );
}

const CustomerFields = () => (
  <>
    <AddressFields />
    <div className={columns(4)}>
      <Field label="Company" name="customerCompany" autoComplete="off" required={false} maxLength={200} />
      <Field label="Tax number" name="customerTaxNumber" autoComplete="off" required={false} maxLength={50} />
      <Field
        label="Phone"
        name="customerPhone"
        type="tel"
        autoComplete="off"
        required={false}
        maxLength={50}
      />
    </div>
  </>
);

function OrderFields({ packages }: { readonly packages: Packages }) {
  return (
    <>
      <SelectField
        label="Package"
        name="packageName"
        required
        options={packages.map((each) => [
          each.packageName,
          `${named(displayNameOf(each))}, ${displayPackagePrice(each)}`,
        ])}
      />
      <Field
        label="Discount in dollars"
        name="amountOff"
        inputMode="decimal"
        autoComplete="off"
        required={false}
        maxLength={20}
        help="The customer sees the price of the package and the discount. At least $0.50 must remain."
      />
      <Field
        label="Coupon code"
        name="couponCode"
        autoComplete="off"
        required={false}
        maxLength={100}
        help="Use a coupon instead of a discount. It reduces the price of the order."
      />
      <TextAreaField
        label="Note"
        name="note"
        required={false}
        rows={3}
        maxLength={5_000}
        help="Only your staff sees this note, on the order. The customer never does."
      />
    </>
  );
}

/**
 * Prefills the form with the details of a known customer once their email is typed.
 * @param ref a form whose fields have the names in `KnownCustomer`
 * @param email as typed
 * @returns whether a customer has this email
 */
function useKnownCustomer(ref: RefObject<HTMLFormElement | null>, email: string): boolean {
  const rested = useDebouncedValue(email.trim());
  const { data } = useQuery({
    ...callQuery('GET /known-customer', { query: { email: rested } }),
    enabled: isDeliverable(rested),
  });
  // The user did not type the preselected country.
  const [presetCountry] = useState(() => homeCountry()?.name ?? '');
  const filled = useRef<Partial<KnownCustomer>>({ customerCountry: presetCountry });
  useEffect(() => {
    const form = ref.current;
    if (!form || !data) return;
    const fieldOf = (name: string) => form.querySelector<HTMLInputElement>(`[name="${name}"]`);
    const typed = Object.fromEntries(Object.keys(data).map((name) => [name, fieldOf(name)?.value ?? '']));
    const known = { ...data, customerCountry: data.customerCountry || presetCountry };
    for (const [name, value] of Object.entries(fillIn(typed, filled.current, known))) {
      const field = fieldOf(name);
      if (field) typeInto(field, value);
    }
    filled.current = known;
  }, [ref, data, presetCountry]);
  return data !== undefined && data.customerName !== '';
}
