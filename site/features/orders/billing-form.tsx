/** Changes the company details on an order's receipt, for customers and staff. */
import { useState } from 'react';
import { isPaidFor } from '#contract/orders.ts';
import { isMonthly } from '#contract/packages.ts';
import type { Order } from '#contract/orders.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { Form } from '#site/ui/form.tsx';
import { BillingFields, readBilling } from './billing-fields.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import css from './billing-fields.module.css';

export interface BillingFormProps {
  readonly order: Order;
  /** The name of the receipt for this user, such as 'Your receipt'. */
  readonly receipt: string;
  /** Folds the fields even if they have values, for users who see the details elsewhere. */
  readonly startsFolded?: boolean;
}

export function BillingForm({ order, receipt, startsFolded = false }: BillingFormProps) {
  const { ref, errors, failure, isBusy, submit } = useForm();
  const [isSaved, setSaved] = useState(false);
  const [isTyped, setTyped] = useState(false);
  useUnsavedGuard(isTyped);

  async function save(form: HTMLFormElement) {
    setSaved(false);
    const body = readBilling(form);
    await submit({
      send: async () => {
        await api('PUT /order/:id/billing', { id: order._id, body });
        // Text that was typed during the save is still unsaved.
        const isAll = JSON.stringify(readBilling(form)) === JSON.stringify(body);
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
    <Form ref={ref} className={css['form']} onSend={save} onInput={onInput}>
      <BillingFields
        details={order}
        errors={errors}
        startsFolded={startsFolded}
        isCopyOffered={!isPaidFor(order) || isMonthly(order)}
      >
        {failure && <Failure error={failure} />}
        {isSaved && (
          <Alert tone="success">
            {isPaidFor(order) ? `Saved. ${receipt} shows it now.` : `Saved. ${receipt} will show it.`}
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
