/** Changes the price of all subscriptions to a package at once. */
import { useRef, useState } from 'react';
import { counted } from '#contract/counted.ts';
import { displayPrice, displayPriceText, parsePriceCents, readTypedPrice } from '#contract/money.ts';
import type { PackageName } from '#contract/orders.ts';
import type { SubscriptionTotals } from '#contract/subscriptions.calls.ts';
import { priceNoticeDays } from '#contract/subscriptions.ts';
import { confirm } from '#site/ui/confirm.tsx';
import { Field, SelectField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { textsIn, useForm } from '#site/app/use-form.ts';
import { columns } from '#site/ui/layout.ts';
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
  const { ref, ...form } = useForm();
  const field = useRef<HTMLInputElement>(null);
  const [name, setName] = useState(byPackage[0]?.packageName ?? '');
  const chosen = byPackage.find(({ packageName }) => packageName === name) ?? byPackage[0];
  if (!chosen) return null;

  async function send(element: HTMLFormElement) {
    const price = readTypedPrice(textsIn(element, ['price']).price);
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
    <Form
      ref={ref}
      errors={form.errors}
      className={columns(4, css['form'])}
      onSend={(element) => form.submit({ send: () => send(element) })}
    >
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
      />
      <SendButton form={form} variant="secondary">
        Change the price
      </SendButton>
    </Form>
  );
}
