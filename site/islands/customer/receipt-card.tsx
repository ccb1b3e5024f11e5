/** The way to an order's receipt, and what it says of the customer's company. */
import { linkTo } from '#contract/screens.ts';
import { isPaidFor, type Order } from '#contract/orders.ts';
import { Alert } from '#components/alert.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { Card } from '#components/card.tsx';
import { Form } from '#components/form.tsx';
import { BillingFields, readBilling } from '../shared/billing-fields.tsx';
import { makeCall } from '../shared/call.ts';
import { Failure } from '../shared/failure.tsx';
import { useForm } from '../shared/use-form.ts';
import { useUnsavedGuard } from '../shared/use-unsaved-guard.ts';
import { useState } from 'react';
import css from './receipt-card.module.css';

export interface ReceiptCardProps {
  readonly order: Order;
  /** Called when what the receipt says has changed. */
  readonly onChange: () => void;
}

export function ReceiptCard({ order, onChange }: ReceiptCardProps) {
  return (
    <Card title="Receipt">
      {isPaidFor(order) ? (
        <LinkButton variant="secondary" href={linkTo('receipt', order._id)}>
          See the receipt
        </LinkButton>
      ) : (
        <p>You will have one as soon as the order is paid.</p>
      )}
      <BillingForm order={order} onChange={onChange} />
    </Card>
  );
}

function BillingForm({ order, onChange }: ReceiptCardProps) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const [isSaved, setSaved] = useState(false);
  const [isTyped, setTyped] = useState(false);
  useUnsavedGuard(isTyped);

  async function save(form: HTMLFormElement) {
    setSaved(false);
    const body = readBilling(form);
    await submit({
      send: async () => {
        await makeCall('PUT /order/:id/billing', { id: order._id, body });
        // What was typed meanwhile is still to be saved.
        const isAll = JSON.stringify(readBilling(form)) === JSON.stringify(body);
        if (isAll) setTyped(false);
        setSaved(isAll);
        onChange();
      },
    });
  }
  const onInput = () => {
    setTyped(true);
    setSaved(false);
  };

  return (
    <Form ref={ref} className={css['form']} onSend={save} onInput={onInput}>
      <BillingFields details={order} errors={errors}>
        {failure && <Failure error={failure} />}
        {isSaved && (
          <Alert tone="success">
            {isPaidFor(order) ? 'Saved. Your receipt shows it now.' : 'Saved. Your receipt will show it.'}
          </Alert>
        )}
        <div>
          <Button type="submit" variant="secondary" busy={isBusy}>
            Save
          </Button>
        </div>
      </BillingFields>
    </Form>
  );
}
