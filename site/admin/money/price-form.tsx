/** The form with which an administrator announces a new price to the customer. */
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { readTypedPrice } from '#contract/money.ts';
import { priceNoticeDays } from '#contract/subscriptions.ts';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { stack } from '#site/ui/layout.ts';
import { showToast } from '#site/app/toasts.tsx';
import { api, formBody } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { Panel } from '../shell/screen.tsx';

export function PriceForm({
  subscription: { _id: id, price, newPrice },
}: {
  readonly subscription: Subscription;
}) {
  const { ref, ...form } = useForm();
  async function send(element: HTMLFormElement) {
    const typed = formBody('POST /subscription/:id/price', element);
    await api('POST /subscription/:id/price', { id, body: { price: readTypedPrice(typed.price) } });
    showToast('New price announced');
    await refetchScreen();
  }
  return (
    <Panel title="Change the price">
      <Form
        ref={ref}
        errors={form.errors}
        className={stack(4)}
        onSend={(element) => form.submit({ send: () => send(element) })}
      >
        <Field
          key={newPrice ?? price}
          label="Price per month in US dollars"
          name="price"
          inputMode="decimal"
          required
          defaultValue={newPrice ?? price}
          help={`We email the customer. The new price applies from the first payment that is at least ${priceNoticeDays} days away.`}
        />
        <SendButton form={form} variant="secondary">
          Announce the price
        </SendButton>
      </Form>
    </Panel>
  );
}
