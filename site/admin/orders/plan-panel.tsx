/** The plan of an order: each step with its due day, its notes, and the form that completes it. */
import { useRef, useState } from 'react';
import { displayStatusOf, isCustomerDeleted, isEnded } from '#contract/orders.ts';
import type { Order } from '#contract/orders.calls.ts';
import { maxNoteLength } from '#contract/plans.ts';
import type { PlanStep } from '#contract/plans.calls.ts';
import { Badge, type Tone } from '#site/ui/badge.tsx';
import { Fold } from '#site/ui/fold.tsx';
import { TextAreaField, Field } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { api, formBody } from '#site/app/call.ts';
import { FileLinks, FilePicker } from '#site/features/conversation/files.tsx';
import { SendButton } from '#site/app/send-button.tsx';
import { NotSent } from '#site/ui/not-sent.tsx';
import { displayDue, displayLeft } from '#site/features/brief/plan-texts.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { FoldedPanel } from '../shell/screen.tsx';
import { noteHelp, type WorkPanelProps } from './order-panel.ts';
import { useDeliveryDraft } from './use-delivery-draft.ts';
import { cluster, stack, target } from '#site/ui/layout.ts';
import button from '#site/ui/button.module.css';
import css from './plan-panel.module.css';
import { showToast } from '#site/app/toasts.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';

function whyStopped(order: Order): string | undefined {
  if (isEnded(order)) return `This order was ${order.paymentStatus.toLowerCase()}, so its plan has stopped.`;
  if (order.paymentStatus !== 'Paid') return 'The plan starts when this order is paid.';
  return order.orderStatus === 'Delivered'
    ? 'This order is delivered, so its plan has ended. Set it back to Pending to continue.'
    : undefined;
}

/** Whether no more steps will be done. A plan that waits for payment has not ended. */
const hasEnded = (order: Order): boolean =>
  isEnded(order) || (order.paymentStatus === 'Paid' && order.orderStatus === 'Delivered');

export function PlanPanel({ order, work }: WorkPanelProps) {
  const { steps } = work;
  if (steps.length === 0) return null;
  const stopped = whyStopped(order);
  const done = steps.filter(({ state }) => state === 'done').length;
  const next = steps.find(({ state }) => state === 'open');
  return (
    <FoldedPanel
      title="Plan"
      aside={
        <span className="muted">
          {done} of {steps.length} done
        </span>
      }
      isNeeded={displayStatusOf(order) === 'In progress'}
    >
      {stopped !== undefined && <p>{stopped}</p>}
      <ol className={stack(0)}>
        {steps.map((step) => (
          <li key={step._id} className={css['step']}>
            <Step order={order} work={work} step={step} isNext={step === next} />
          </li>
        ))}
      </ol>
    </FoldedPanel>
  );
}

function badgeOf(step: PlanStep, hasEnded: boolean): readonly [text: string, tone: Tone] {
  const { state, isOverdue, isUntracked } = step;
  if (state === 'done') return ['Done', 'success'];
  if (hasEnded) return isUntracked ? ['Not tracked', 'neutral'] : [displayLeft(step), 'warning'];
  if (state === 'waiting') return ['Waiting for approval', 'info'];
  return isOverdue ? ['Overdue', 'danger'] : ['Open', 'neutral'];
}

interface StepProps extends WorkPanelProps {
  readonly step: PlanStep;
}

/** Whether the customer is asked to approve a step, which requires an account. */
const isAskedFor = ({ customerEmail }: Order, { wantsApproval }: PlanStep): boolean =>
  wantsApproval && customerEmail !== '';

/** One line per step. The notes and actions are collapsed, except for the current step. */
function Step({ order, work, step, isNext }: StepProps & { readonly isNext: boolean }) {
  const stopped = whyStopped(order);
  const [text, tone] = badgeOf(step, hasEnded(order));
  const isOpen = step.state === 'open';
  const isToDo = isNext || step.state === 'waiting' || (isOpen && step.request !== '');
  return (
    <Fold
      isNeeded={stopped === undefined && isToDo}
      className={css['fold']}
      summary={
        <>
          <strong>{step.title}</strong> <Badge tone={tone}>{text}</Badge>
          <span className="muted">{displayDue(step)}</span>
        </>
      }
    >
      <div className={stack(2)}>
        {isOpen && stopped !== undefined && <p className="muted">{stopped}</p>}
        {isAskedFor(order, step) && isOpen && !hasEnded(order) && (
          <p className="muted">The customer will be asked to approve this step.</p>
        )}
        {step.request !== '' && (
          <blockquote className="quote">
            <span className="muted">The customer asked for a change: </span>
            {step.request}
          </blockquote>
        )}
        {step.note !== '' && step.state !== 'open' && <blockquote className="quote">{step.note}</blockquote>}
        <FileLinks files={step.files} />
        {/* Always at the same position in the tree, so that typed text is kept. */}
        <div className={cluster(2, css['ways'])}>
          <TickOff
            order={order}
            work={work}
            step={step}
            closedReason={
              stopped ?? (isOpen ? undefined : 'This step is already done or waits for approval.')
            }
          />
          {stopped === undefined && (
            <>
              {!isOpen && <Undo step={step} />}
              {step.state !== 'done' && <DueDayForm step={step} isCustomerGone={isCustomerDeleted(order)} />}
            </>
          )}
        </div>
      </div>
    </Fold>
  );
}

const doneText = (order: Order): string =>
  isCustomerDeleted(order) ? 'Done' : 'Done. The customer gets an email.';

interface TickOffProps extends StepProps {
  /** Why the step cannot be completed; undefined if it can. Text that is already typed is kept. */
  readonly closedReason: string | undefined;
}

function TickOff({ order, work, step, closedReason }: TickOffProps) {
  const { _id, title, request } = step;
  const isAsked = isAskedFor(order, step);
  const [isOpen, setIsOpen] = useState(false);
  const place = useRef<HTMLDetailsElement>(null);
  const draft = useDeliveryDraft(order._id, `step ${_id}`, closedReason);
  const { note, setNote, files, disabledReason } = draft;
  const isCustomerGone = isCustomerDeleted(order);
  const action = isAsked ? 'Ask for approval' : 'Mark as done';

  const tickOff = useMutation({
    mutationFn: () =>
      draft.send((given) =>
        api('PUT /order-step/:id', {
          id: _id,
          // Prevents completing a step after the customer has made a request that the user has not seen.
          body: { state: 'done', seenRequest: request, ...given },
        }),
      ),
    done: isAsked ? 'We asked the customer to approve it' : doneText(order),
    onSuccess: () => {
      setIsOpen(false);
      // The pressed button disappears with the form.
      place.current?.closest('li')?.querySelector('summary')?.focus();
    },
  });

  if (disabledReason !== undefined && !draft.isBegun) return null;
  return (
    <details
      ref={place}
      open={isOpen || disabledReason !== undefined}
      onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
    >
      <summary className={target(button['button'])} data-variant="secondary" data-size="small">
        {disabledReason !== undefined ? 'Not sent' : isOpen ? 'Cancel' : action}
        <span className="visually-hidden">: {title}</span>
      </summary>
      <Form className={stack(3)} onSend={() => tickOff.mutate()}>
        {disabledReason !== undefined && (
          <NotSent
            title={`Your note was not sent: ${title}`}
            reason={disabledReason}
            onDiscard={draft.discard}
          />
        )}
        <TextAreaField
          id={`note-${_id}`}
          name="note"
          label={isCustomerGone ? 'Note' : 'Note to the customer'}
          required={false}
          dir="auto"
          rows={3}
          maxLength={maxNoteLength}
          value={note}
          readOnly={tickOff.isPending}
          help={
            isCustomerGone
              ? 'This note stays with the order.'
              : noteHelp(work, 'The note stays with the order.')
          }
          onChange={({ target }) => setNote(target.value)}
        />
        <FilePicker files={files} label="Add files to the step" isClosed={isCustomerGone} />
        {disabledReason === undefined && (
          <SendButton form={{ failure: tickOff.error, isBusy: tickOff.isPending }}>{action}</SendButton>
        )}
      </Form>
    </details>
  );
}

function Undo({ step: { _id, title, state, doneAt } }: Pick<StepProps, 'step'>) {
  const spoken = <span className="visually-hidden">: {title}</span>;
  return (
    <div className={cluster(2, 'flush')}>
      {state === 'waiting' && (
        <ActionButton
          size="small"
          variant="secondary"
          action={() =>
            api('PUT /order-step/:id/answer', { id: _id, body: { isApproved: true, doneAt: doneAt ?? '' } })
          }
          done="Approval recorded"
        >
          Record their approval{spoken}
        </ActionButton>
      )}
      <ActionButton
        size="small"
        variant="quiet"
        action={() =>
          // Prevents reopening a step after a change that the user has not seen.
          api('PUT /order-step/:id', {
            id: _id,
            body: { state: 'open', seen: { state, doneAt: doneAt ?? '' } },
          })
        }
        done="Step reopened"
      >
        Reopen
        {spoken}
      </ActionButton>
    </div>
  );
}

interface DueDayFormProps {
  readonly step: PlanStep;
  /** Whether the customer's account was deleted, so that no email is sent. */
  readonly isCustomerGone: boolean;
}

function DueDayForm({ step: { _id, title, dueDay }, isCustomerGone }: DueDayFormProps) {
  const { ref, ...form } = useForm();
  const move = (element: HTMLFormElement) => {
    const body = formBody('PUT /order-step/:id/due-day', element);
    return form.submit({
      check: () => (['', dueDay].includes(body.dueDay) ? { dueDay: 'Choose a new due date.' } : {}),
      send: async () => {
        await api('PUT /order-step/:id/due-day', { id: _id, body });
        showToast(isCustomerGone ? 'Due date changed' : 'Due date changed. The customer gets an email.');
        const details = element.closest('details');
        details?.removeAttribute('open');
        details?.querySelector('summary')?.focus();
        void refetchScreen();
      },
    });
  };
  return (
    <details>
      <summary className={target(button['button'])} data-variant="secondary" data-size="small">
        Change the due date<span className="visually-hidden">: {title}</span>
      </summary>
      <Form ref={ref} errors={form.errors} className={stack(3)} onSend={move}>
        <Field
          id={`due-${_id}`}
          name="dueDay"
          type="date"
          label="New due date"
          defaultValue={dueDay}
          {...(!isCustomerGone && {
            help: 'The customer sees both dates and gets an email.',
          })}
        />
        <SendButton form={form} variant="secondary">
          Change date
        </SendButton>
      </Form>
    </details>
  );
}
