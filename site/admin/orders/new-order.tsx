/** An order that an administrator places for a customer, who ordered by telephone or email. */
import { useQuery } from '@tanstack/react-query';
import { displayPriceText } from '#contract/money.ts';
import { packageNames } from '#contract/orders.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { linkTo } from '#contract/screens.ts';
import { Button } from '#site/ui/button.tsx';
import { Field, SelectField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { AddressFields } from '#site/features/orders/address-fields.tsx';
import { BillingFields } from '#site/features/orders/billing-fields.tsx';
import { api, formBody, type CallData } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useForm } from '#site/app/use-form.ts';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import { callQuery, refetchScreen } from '#site/app/query.ts';
import { Panel, ScreenFrame } from '../shell/screen.tsx';
import css from './new-order.module.css';

/** What a package costs, by its name. */
type Prices = Readonly<Record<string, string>>;

const pricesOf = (packages: CallData<'GET /pricings'>): Prices =>
  Object.fromEntries(packages.map(({ packageName, packagePrice }) => [packageName, packagePrice]));

export default function NewOrder() {
  const packages = useQuery(callQuery('GET /pricings'));
  return (
    <ScreenFrame
      title="New order"
      back={{ href: linkTo('orders'), label: 'All orders' }}
      intro="For a customer who ordered by phone or email. They get an email with a link to pay, and see the order in their account if they have one with this email address."
    >
      <Panel title="Who and what">
        <QueryBoundary query={packages} lines={8}>
          {(data) => <NewOrderForm prices={pricesOf(data)} />}
        </QueryBoundary>
      </Panel>
    </ScreenFrame>
  );
}

function NewOrderForm({ prices }: { readonly prices: Prices }) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const forget = useSessionFields(ref);
  const { keyFor, renew } = useIdempotencyKey();

  async function send(form: HTMLFormElement) {
    const typed = formBody('POST /add-order', form);
    const body = { ...typed, packagePrice: prices[typed.packageName] ?? '' };
    const { data } = await api('POST /add-order', { body, idempotencyKey: keyFor(body) });
    renew();
    forget();
    location.assign(linkTo('order', data._id));
  }

  return (
    <Form
      ref={ref}
      className={css['form']}
      onSend={(form) => {
        void submit({ send: () => send(form), onConflict: () => void refetchScreen() });
      }}
    >
      <NewOrderFields errors={errors} prices={prices} />
      {failure && <Failure error={failure} />}
      <div>
        <Button type="submit" busy={isBusy}>
          Place the order
        </Button>
      </div>
    </Form>
  );
}

function NewOrderFields({ errors, prices }: { readonly errors: FieldErrors; readonly prices: Prices }) {
  return (
    <>
      <Field
        label="Email"
        name="customerEmail"
        type="email"
        required
        maxLength={254}
        placeholder="name@company.com"
        error={errors['customerEmail']}
      />
      <SelectField label="Package" name="packageName" required error={errors['packageName']}>
        {packageNames
          .filter((name) => prices[name] !== undefined)
          .map((name) => (
            <option key={name} value={name}>
              {name}, {displayPriceText(prices[name] ?? '')}
            </option>
          ))}
      </SelectField>
      <AddressFields errors={errors} />
      <BillingFields details={undefined} errors={errors} />
      <Field
        label="Coupon code"
        name="couponCode"
        autoComplete="off"
        required={false}
        maxLength={100}
        help="The order costs what the coupon leaves."
        error={errors['couponCode']}
      />
    </>
  );
}
