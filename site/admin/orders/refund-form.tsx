/**
 * Refunds a payment in full or in part: the amount, the reason, a note to the customer, and the consequences.
 */
import { useState } from 'react';
import { displayPriceText, parsePriceCents, readTypedPrice } from '#contract/money.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { FieldErrors } from '#contract/problem.ts';
import { refundReasons, refundReasonTexts } from '#contract/payments.ts';
import type { Refund } from '#contract/refunds.calls.ts';
import { Button } from '#site/ui/button.tsx';
import { confirm } from '#site/ui/confirm.tsx';
import { Field, SelectField, TextAreaField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { CallError, api } from '#site/app/call.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import { noteHelp, type WorkPanelProps } from './order-panel.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import css from './refund-panel.module.css';

export interface RefundFormProps extends WorkPanelProps {
  readonly leftAmount: string;
  /** Closes the dialog. The typed values stay for the next time. */
  readonly onClose: () => void;
}

/** Whether the customer has deleted their account, so that nobody can be notified. */
const isForgotten = ({ customerEmail }: Order) => customerEmail === '';

/** What a full refund does not change. */
const subscriptionNote = ({ subscriptionId }: Order): string =>
  subscriptionId
    ? ' The subscription continues, and Stripe charges the next month. To end it, cancel it on its page too.'
    : '';

/** The consequences of a refund, as sentences. */
function whatHappens(order: Order, amount: string, leftAmount: string): string {
  const way =
    order.paymentMethod === 'Card'
      ? 'goes back to the original payment method'
      : 'is recorded as refunded. You pay it out yourself';
  const end =
    parsePriceCents(amount) === parsePriceCents(leftAmount)
      ? `The order is then Refunded, which cancels it. No more work is due, and you cannot undo this.${subscriptionNote(order)}`
      : order.orderStatus === 'Delivered'
        ? 'The order stays Paid.'
        : 'The order stays Paid, and the work goes on.';
  const told = isForgotten(order)
    ? "The customer's account was deleted, so nobody gets an email."
    : `${order.customerName} gets an email.`;
  return `${displayPriceText(amount)} ${way}. ${end} ${told}`;
}

const toastOf = ({ status, amount }: Refund): string =>
  status === 'succeeded'
    ? `${displayPriceText(amount)} is returned`
    : `The refund of ${displayPriceText(amount)} is noted and on its way`;

interface Values {
  readonly amount: string;
  readonly reason: string;
  readonly note: string;
}

export function RefundForm({ order, work, leftAmount, onClose }: RefundFormProps) {
  const [values, setValues] = useState<Values>({ amount: leftAmount, reason: '', note: '' });
  const { ref, errors, failure, isBusy, submit } = useForm();
  const forget = useSessionFields(ref);
  const { keyFor, renew } = useIdempotencyKey('refund');
  const showToast = useToast();

  const amount = readTypedPrice(values.amount);
  const body = { amount, note: values.note, reason: refundReasons.find((known) => known === values.reason) };
  /** Asks for confirmation once the fields are valid. @throws CallError with the invalid fields */
  const ask = async () => {
    const { checkRefund } = await import('./check-refund.ts');
    const wrong = checkRefund(body, leftAmount);
    if (Object.keys(wrong).length > 0)
      throw new CallError({
        title: 'Not refunded',
        status: 422,
        detail: 'Please check the fields.',
        errors: wrong,
      });
    void sendIfSure();
  };
  const sendIfSure = async () => {
    const isSure = await confirm({
      title: `Return ${displayPriceText(amount)}${isForgotten(order) ? '' : ` to ${order.customerName}`}?`,
      text: whatHappens(order, amount, leftAmount),
      confirm: `Refund ${displayPriceText(amount)}`,
      decline: 'Keep the money',
      variant: 'danger',
    });
    if (isSure) await submit({ send });
  };
  const send = async () => {
    const options = { id: order._id, body, idempotencyKey: keyFor(body) };
    const { data } = await api('POST /order/:id/refunds', options).catch((error: unknown) => {
      // Stripe refused the refund. The next try needs a new idempotency key, because the same one would return
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
    <Form ref={ref} className={stack(4)} onSend={() => submit({ send: ask })}>
      <RefundFields
        values={values}
        errors={errors}
        noteHelp={isForgotten(order) ? undefined : noteHelp(work, 'It stays with the order.')}
        amountHelp={`${displayPriceText(leftAmount)} of ${displayPriceText(order.packagePrice)} can be refunded. To cancel the order, refund all of it.`}
        reasonHelp={
          order.paymentMethod === 'Card'
            ? 'Stripe sees the reason. The customer does not.'
            : 'We keep it with the refund. The customer does not see it.'
        }
        onChange={(change) => setValues((current) => ({ ...current, ...change }))}
      />
      {failure && <Failure error={failure} />}
      <div className={cluster(3, css['buttons'])}>
        <Button variant="secondary" onClick={onClose}>
          Not now
        </Button>
        <Button type="submit" variant="danger" busy={isBusy}>
          Refund {displayPriceText(amount)}
        </Button>
      </div>
    </Form>
  );
}

interface RefundFieldsProps {
  readonly values: Values;
  readonly errors: FieldErrors;
  /** The amount that can be refunded. */
  readonly amountHelp: string;
  /** Where the customer reads the note; undefined if nobody can read it. */
  readonly noteHelp: string | undefined;
  /** Who sees the reason. */
  readonly reasonHelp: string;
  readonly onChange: (change: Partial<Values>) => void;
}

function RefundFields(props: RefundFieldsProps) {
  const { values, errors, amountHelp, reasonHelp, onChange } = props;
  return (
    <>
      <Field
        name="amount"
        label="Amount in dollars"
        inputMode="decimal"
        autoComplete="off"
        required
        value={values.amount}
        error={errors['amount']}
        help={amountHelp}
        onChange={({ target }) => onChange({ amount: target.value })}
      />
      <SelectField
        name="reason"
        label="Reason"
        value={values.reason}
        error={errors['reason']}
        help={reasonHelp}
        onChange={({ target }) => onChange({ reason: target.value })}
      >
        <option value="">None given</option>
        {refundReasons.map((known) => (
          <option key={known} value={known}>
            {refundReasonTexts[known]}
          </option>
        ))}
      </SelectField>
      {props.noteHelp !== undefined && (
        <TextAreaField
          name="note"
          label="Note to the customer"
          required={false}
          rows={3}
          value={values.note}
          error={errors['note']}
          help={props.noteHelp}
          onChange={({ target }) => onChange({ note: target.value })}
        />
      )}
    </>
  );
}
