/** An order that an administrator places for a customer, who ordered by telephone or email. */
import { useQuery } from '@tanstack/react-query';
import { displayNameOf, displayPackagePrice } from '#contract/packages.ts';
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

type Packages = CallData<'GET /pricings'>;

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
          {(data) => <NewOrderForm packages={data} />}
        </QueryBoundary>
      </Panel>
    </ScreenFrame>
  );
}

function NewOrderForm({ packages }: { readonly packages: Packages }) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const forget = useSessionFields(ref);
  const { keyFor, renew } = useIdempotencyKey();

  async function send(form: HTMLFormElement) {
    const typed = formBody('POST /add-order', form);
    const chosen = packages.find(({ packageName }) => packageName === typed.packageName);
    const body = { ...typed, packagePrice: chosen?.packagePrice ?? '' };
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
      <NewOrderFields errors={errors} packages={packages} />
      {failure && <Failure error={failure} />}
      <div>
        <Button type="submit" busy={isBusy}>
          Place the order
        </Button>
      </div>
    </Form>
  );
}

function NewOrderFields({ errors, packages }: { readonly errors: FieldErrors; readonly packages: Packages }) {
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
        {packages.map((each) => (
          <option key={each._id} value={each.packageName}>
            {displayNameOf(each)}, {displayPackagePrice(each)}
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
