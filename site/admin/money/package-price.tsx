/** Changes the price of all subscriptions to a package at once. */
import { useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { displayPrice, displayPriceText, parsePriceCents, readTypedPrice } from '#contract/money.ts';
import type { PackageName } from '#contract/orders.ts';
import type { SubscriptionTotals } from '#contract/subscriptions.calls.ts';
import { priceNoticeDays } from '#contract/subscriptions.ts';
import { Button } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { Field, SelectField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { textsIn, useForm } from '#site/app/use-form.ts';
import css from './new-coupon.module.css';

type Priced = SubscriptionTotals['byPackage'][number];

/**
 * Asks for confirmation. The question contains the number of subscriptions and their total before and after.
 */
const askAbout = ({ displayName, subscriptions, monthlyCents }: Priced, priceCents: number) =>
  confirm({
    title: `Change the price for ${counted(subscriptions, 'subscription')}?`,
    text: `${counted(subscriptions, 'subscription')} to the ${displayName} package cost ${displayPrice(monthlyCents)} per month now, and ${displayPrice(subscriptions * priceCents)} at ${displayPrice(priceCents)} each, before coupons. We email every customer today. Each pays the new price from the first payment that is at least ${priceNoticeDays} days away.`,
    confirm: 'Change the price and email them',
  });

export function PackagePrice({ byPackage }: Pick<SubscriptionTotals, 'byPackage'>) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const showToast = useToast();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(byPackage[0]?.packageName ?? '');
  const chosen = byPackage.find(({ packageName }) => packageName === name) ?? byPackage[0];
  if (!chosen) return null;

  async function send(form: HTMLFormElement) {
    const price = readTypedPrice(textsIn(form, ['price']).price);
    const cents = parsePriceCents(price);
    if (chosen && cents !== undefined && !(await askAbout(chosen, cents))) return;
    const packageName = name as PackageName;
    const { data } = await api('POST /subscription-prices', { body: { packageName, price } });
    const left = data.left === 0 ? '' : ` ${data.left} cannot cost so little, because of a coupon.`;
    showToast(`${displayPriceText(price)} announced to ${counted(data.changed, 'customer')}.${left}`);
    if (field.current) field.current.value = '';
    await refetchScreen();
  }

  return (
    <Form ref={ref} className={css['form']} onSend={(form) => void submit({ send: () => send(form) })}>
      <SelectField
        label="Package"
        name="packageName"
        value={name}
        onChange={({ target }) => setName(target.value)}
      >
        {byPackage.map(({ packageName, displayName, subscriptions }) => (
          <option key={packageName} value={packageName}>
            {displayName}, {counted(subscriptions, 'subscription')}
          </option>
        ))}
      </SelectField>
      <Field
        ref={field}
        label="New price per month in US dollars"
        name="price"
        inputMode="decimal"
        required
        error={errors['price']}
      />
      {failure && <Failure error={failure} />}
      <div>
        <Button type="submit" variant="secondary" busy={isBusy}>
          Change the price
        </Button>
      </div>
    </Form>
  );
}
