/** What the customer gets with the delivery: a note and files. Also shows why they were not sent. */
import { maxMessageLength } from '#contract/conversations.ts';
import { isCustomerDeleted, isEnded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import type { OrderWork } from '#contract/plans.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { NotSent } from '#site/ui/not-sent.tsx';
import { api } from '#site/app/call.ts';
import { FilePicker } from '#site/features/conversation/files.tsx';
import { noteHelp } from './order-panel.ts';
import { useDeliveryDraft } from './use-delivery-draft.ts';

export type Delivery = ReturnType<typeof useDelivery>;

export function deliveryDisabledReason(order: Order): string | undefined {
  if (isCustomerDeleted(order))
    return "This customer's account was deleted, so nobody can receive the delivery.";
  if (isEnded(order))
    return `This order was ${order.paymentStatus.toLowerCase()}, so there is nothing to deliver.`;
  return order.orderStatus === 'Delivered'
    ? 'This order is already delivered. You can send a message instead.'
    : undefined;
}

/**
 * @param work the work on the order
 * @param id the id of the note field and of the form, under which its files are stored; a screen can have two forms
 * @param disabledReason why this form cannot deliver the order
 */
export function useDelivery(work: OrderWork, id: string, disabledReason: string | undefined) {
  const { orderId: _id } = work;
  const handover = useDeliveryDraft(_id, id, disabledReason);
  /** Marks the order as delivered, with the note and files. @throws CallError also while a file is uploading */
  const deliver = () =>
    handover.send((given) =>
      api('PUT /order-status/:id', { id: _id, body: { orderStatus: 'Delivered', ...given } }),
    );
  return { ...handover, id, work, deliver };
}

interface DeliveryFieldsProps {
  readonly delivery: Delivery;
  /** Whether the delivery is being sent. The fields are then disabled, because they will disappear. */
  readonly isBusy: boolean;
}

export const DeliveryFields = ({
  delivery: { id, work, note, setNote, files, disabledReason, discard },
  isBusy,
}: DeliveryFieldsProps) => (
  <>
    {disabledReason !== undefined && (
      <NotSent title="Your note was not sent" reason={disabledReason} onDiscard={discard} />
    )}
    <OpenSteps steps={work.steps.filter(({ state }) => state !== 'done')} />
    <TextAreaField
      id={id}
      name="note"
      label="Note to the customer"
      required={false}
      rows={4}
      maxLength={maxMessageLength}
      value={note}
      readOnly={isBusy}
      help={noteHelp(work, "The note appears on the order's page and on the receipt.")}
      onChange={({ target }) => setNote(target.value)}
    />
    <FilePicker files={files} label="Add files to the delivery" />
  </>
);

function OpenSteps({ steps }: Pick<OrderWork, 'steps'>) {
  if (steps.length === 0) return null;
  return (
    <Alert
      tone="warning"
      isStanding
      title={
        steps.length === 1
          ? 'A step is still open. Deliver anyway?'
          : `${steps.length} steps are still open. Deliver anyway?`
      }
    >
      <ul>
        {steps.map(({ _id, title, state }) => (
          <li key={_id}>
            {title}
            {state === 'waiting' && ', which waits for the customer’s approval'}
          </li>
        ))}
      </ul>
      Delivering the order ends its plan.
    </Alert>
  );
}
