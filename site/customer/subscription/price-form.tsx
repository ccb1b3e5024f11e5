/** The form with which an administrator announces a new price to the customer. */
import type { Subscription } from '#contract/subscriptions.calls.ts';
import { readTypedPrice } from '#contract/money.ts';
import { priceNoticeDays } from '#contract/subscriptions.ts';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { api, formBody } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';

export interface PriceFormProps {
  readonly subscription: Subscription;
}

export function PriceForm({ subscription: { _id: id, price, newPrice } }: PriceFormProps) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  async function send(form: HTMLFormElement) {
    const typed = formBody('POST /subscription/:id/price', form);
    await api('POST /subscription/:id/price', { id, body: { price: readTypedPrice(typed.price) } });
    await refetchScreen();
  }
  return (
    <Card title="Change the price">
      <Form ref={ref} onSend={(form) => void submit({ send: () => send(form) })}>
        <Field
          key={newPrice ?? price}
          label="Price per month in US dollars"
          name="price"
          inputMode="decimal"
          required
          defaultValue={newPrice ?? price}
          help={`We email the customer. The new price applies from the first payment that is at least ${priceNoticeDays} days away.`}
          error={errors['price']}
        />
        {failure && <Failure error={failure} />}
        <Button type="submit" variant="secondary" busy={isBusy}>
          Announce the price
        </Button>
      </Form>
    </Card>
  );
}
