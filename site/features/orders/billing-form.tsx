/** Changes the company details on an order's receipt, for customers and staff. */
import { useState } from 'react';
import { isPaidFor } from '#contract/orders.ts';
import { isMonthly } from '#contract/packages.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Form } from '#site/ui/form.tsx';
import { BillingFields, readBilling } from './billing-fields.tsx';
import { api } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';

interface BillingFormProps {
  readonly order: Order;
  /** The name of the receipt for this user, such as 'Your receipt'. */
  readonly receipt: string;
  /** Collapses the fields at first, even if they have values, for users who see the details elsewhere. */
  readonly startsFolded?: boolean;
}

export function BillingForm({ order, receipt, startsFolded = false }: BillingFormProps) {
  const { ref, ...form } = useForm();
  const [isSaved, setSaved] = useState(false);
  const [isTyped, setTyped] = useState(false);
  useUnsavedGuard(isTyped);

  async function save(element: HTMLFormElement) {
    setSaved(false);
    const body = readBilling(element);
    await form.submit({
      send: async () => {
        await api('PUT /order/:id/billing', { id: order._id, body });
        // Text that was typed during the save is still unsaved.
        const isAll = JSON.stringify(readBilling(element)) === JSON.stringify(body);
        if (isAll) setTyped(false);
        setSaved(isAll);
        void refetchScreen();
      },
    });
  }
  const onInput = () => {
    setTyped(true);
    setSaved(false);
  };

  return (
    <Form ref={ref} errors={form.errors} onSend={save} onInput={onInput}>
      <BillingFields
        details={order}
        startsFolded={startsFolded}
        isCopyOffered={!isPaidFor(order) || isMonthly(order)}
      >
        {isSaved && (
          <Alert tone="success">
            {isPaidFor(order) ? `Saved. ${receipt} shows it now.` : `Saved. ${receipt} will show it.`}
          </Alert>
        )}
        <SendButton form={form} variant="secondary">
          Save
        </SendButton>
      </BillingFields>
    </Form>
  );
}
