/** The refunds of an order, and the dialog for another one. A refund is also the way to cancel a paid order. */
import { useState } from 'react';
import { displayPriceText, parsePriceCents, readTypedPrice } from '#contract/money.ts';
import { isPaidFor, isCustomerDeleted } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { OrderRefunds, Refund } from '#contract/refunds.calls.ts';
import { refundReasons, refundReasonTexts } from '#contract/payments.ts';
import { RefundList } from '#site/features/orders/refund-list.tsx';
import { Button } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { Dialog, DialogActions } from '#site/ui/dialog.tsx';
import { offers } from '../shell/role.ts';
import { type WorkPanelProps, noteHelp } from './order-panel.ts';
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api, type CallBody } from '#site/app/call.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { textsIn, useForm } from '#site/app/use-form.ts';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import { stack } from '#site/ui/layout.ts';

/** The label of the button that opens the dialog, here and in the screen's menu. */
export const refundLabel = 'Refund part or all';

interface RefundPanelProps extends WorkPanelProps {
  readonly refunds: OrderRefunds;
  readonly isRefunding: boolean;
  readonly onRefunding: (isRefunding: boolean) => void;
}

const offersRefund = (order: Order, { leftAmount }: OrderRefunds): boolean =>
  offers('administrator') && isPaidFor(order) && leftAmount !== '0';

export const canRefund = (order: Order, refunds: OrderRefunds): boolean =>
  offersRefund(order, refunds) && refunds.obstacle === '';

export function RefundPanel({ order, work, refunds, isRefunding, onRefunding }: RefundPanelProps) {
  const { leftAmount, obstacle } = refunds;
  const isOffered = offersRefund(order, refunds);
  const isPossible = canRefund(order, refunds);
  if (!isOffered && refunds.refunds.length === 0) return null;
  return (
    <Card
      title="Refunds"
      aside={isPossible && <span className="muted">{displayPriceText(leftAmount)} refundable</span>}
    >
      {refunds.refunds.length > 0 && <RefundList refunds={refunds.refunds} />}
      {isOffered && obstacle !== '' && <p>{obstacle}</p>}
      {isPossible && (
        <div>
          <Button variant="secondary" size="small" onClick={() => onRefunding(true)}>
            {refundLabel}
          </Button>
        </div>
      )}
      <Dialog open={isPossible && isRefunding} onClose={() => onRefunding(false)} title={refundLabel}>
        <RefundForm
          key={leftAmount}
          order={order}
          work={work}
          leftAmount={leftAmount}
          onClose={() => onRefunding(false)}
        />
      </Dialog>
    </Card>
  );
}

interface RefundFormProps extends WorkPanelProps {
  readonly leftAmount: string;
  /** Closes the dialog. The typed values are kept for the next time. */
  readonly onClose: () => void;
}

/** Explains that a full refund does not end a subscription; empty for other orders. */
const subscriptionNote = ({ subscriptionId }: Order): string =>
  subscriptionId
    ? ' The refund does not change the subscription. Unless it was cancelled, Stripe charges the next month. To end it, cancel it on its own page.'
    : '';

/** What a refund of this amount does; empty for an amount that cannot be refunded. */
function whatHappens(order: Order, amount: string, leftAmount: string): string {
  const [cents = 0, leftCents = 0] = [parsePriceCents(amount), parsePriceCents(leftAmount)];
  if (cents === 0 || cents > leftCents) return '';
  const way =
    order.paymentMethod === 'Card'
      ? 'goes back to the original payment method'
      : 'is recorded as refunded. You pay it out yourself';
  const end =
    cents === leftCents
      ? `The order is then Refunded, which cancels it. No more work is due, and you cannot undo this.${subscriptionNote(order)}`
      : order.orderStatus === 'Delivered'
        ? 'The order stays Paid.'
        : 'The order stays Paid, and the work goes on.';
  const told = isCustomerDeleted(order)
    ? "The customer's account was deleted, so nobody gets an email."
    : `${order.customerName} gets an email.`;
  return `${displayPriceText(amount)} ${way}. ${end} ${told}`;
}

const toastOf = ({ status, amount }: Refund): string =>
  status === 'succeeded'
    ? `${displayPriceText(amount)} refunded`
    : `The refund of ${displayPriceText(amount)} is recorded and on its way`;

/** Refunds a payment in full or in part: the amount, the reason, a note to the customer, and the consequences. */
function RefundForm({ order, work, leftAmount, onClose }: RefundFormProps) {
  const [typed, setTyped] = useState(leftAmount);
  const amount = readTypedPrice(typed);
  const consequences = whatHappens(order, amount, leftAmount);
  const { ref, ...form } = useForm();
  const forget = useSessionFields(ref);
  const { keyFor, renew } = useIdempotencyKey('refund');

  const submit = (element: HTMLFormElement) => {
    const { reason, note } = textsIn(element, ['reason', 'note']);
    const body = { amount, note, reason: refundReasons.find((known) => known === reason) };
    return form.submit({
      check: async () => (await import('./check-refund.ts')).checkRefund(body, leftAmount),
      send: () => send(body),
    });
  };
  const send = async (body: CallBody<'POST /order/:id/refunds'>) => {
    const options = { id: order._id, body, idempotencyKey: keyFor(body) };
    const { data } = await api('POST /order/:id/refunds', options).catch((error: unknown) => {
      // Stripe refused the refund. The next attempt needs a new idempotency key, because the same key would return
      // the same refusal.
      if (callErrorOf(error).status === 409) renew();
      throw error;
    });
    renew();
    forget();
    showToast(toastOf(data));
    onClose();
    void refetchScreen();
  };

  return (
    <Form ref={ref} errors={form.errors} className={stack(4)} onSend={submit}>
      <Field
        name="amount"
        label="Amount in dollars"
        inputMode="decimal"
        autoComplete="off"
        required
        value={typed}
        help={`${displayPriceText(leftAmount)} of ${displayPriceText(order.packagePrice)} can be refunded. To cancel the order, refund all of it.`}
        onChange={({ target }) => setTyped(target.value)}
      />
      <ReasonAndNote order={order} work={work} />
      {consequences && <p>{consequences}</p>}
      <Failure error={form.failure}>
        {form.failure?.isUnanswered &&
          ' We do not know whether the refund was made. Send it again without changes: the same refund is never made twice.'}
      </Failure>
      <DialogActions>
        <Button variant="secondary" onClick={onClose}>
          Not now
        </Button>
        <Button type="submit" variant="danger" busy={form.isBusy}>
          Refund {displayPriceText(amount)}
        </Button>
      </DialogActions>
    </Form>
  );
}

const ReasonAndNote = ({ order, work }: WorkPanelProps) => (
  <>
    <SelectField
      name="reason"
      label="Reason"
      options={[
        ['', 'None given'],
        ...refundReasons.map((known) => [known, refundReasonTexts[known]] as const),
      ]}
      help={
        order.paymentMethod === 'Card'
          ? 'Stripe sees the reason. The customer does not.'
          : 'We keep it with the refund. The customer does not see it.'
      }
    />
    {!isCustomerDeleted(order) && (
      <TextAreaField
        name="note"
        label="Note to the customer"
        required={false}
        rows={3}
        help={noteHelp(work, 'The note stays with the order.')}
      />
    )}
  </>
);
