/** The steps of an order's plan: when each is due, what was said about it, and ticking it off. */
import { useState } from 'react';
import { isEnded, type Order } from '#contract/orders.ts';
import { maxNoteLength, type PlanStep } from '#contract/work.ts';
import { Badge, type Tone } from '#components/badge.tsx';
import { Button } from '#components/button.tsx';
import { TextAreaField } from '#components/field.tsx';
import { Form } from '#components/form.tsx';
import { useToast } from '#components/toast.tsx';
import { CallError, makeCall } from '#site/islands/shared/call.ts';
import { FileLinks, FilePicker } from '#site/islands/shared/conversation/files.tsx';
import { useFiles } from '#site/islands/shared/conversation/use-files.ts';
import { Failure } from '#site/islands/shared/failure.tsx';
import { displayDue } from '#site/islands/shared/plan-texts.ts';
import { useAction } from '#site/islands/shared/use-action.ts';
import { useUnsavedGuard } from '#site/islands/shared/use-unsaved-guard.ts';
import { Panel } from '../screen.tsx';
import { DueDayForm } from './due-day-form.tsx';
import type { OrderPanelProps } from './order-panel.ts';
import css from './plan-panel.module.css';

export interface PlanPanelProps extends OrderPanelProps {
  readonly steps: readonly PlanStep[];
}

export function PlanPanel({ order, steps, onChange }: PlanPanelProps) {
  if (steps.length === 0) return null;
  const done = steps.filter(({ state }) => state === 'done').length;
  return (
    <Panel
      title="Plan"
      aside={
        <span className={css['count']}>
          {done} of {steps.length} done
        </span>
      }
    >
      {order.paymentStatus !== 'Paid' ? (
        <p>
          {isEnded(order)
            ? `This order was ${order.paymentStatus.toLowerCase()}, so its plan has stopped.`
            : 'This order is not paid, so its plan waits.'}
        </p>
      ) : (
        order.orderStatus === 'Delivered' && (
          <p>This order is delivered, so its plan has ended. Set it back to Pending to go on.</p>
        )
      )}
      <ol className={css['steps']}>
        {steps.map((step) => (
          <li key={step._id} className={css['step']}>
            <Step order={order} step={step} onChange={onChange} />
          </li>
        ))}
      </ol>
    </Panel>
  );
}

function badgeOf({ state, isOverdue }: PlanStep): readonly [text: string, tone: Tone] {
  if (state === 'done') return ['Done', 'success'];
  if (state === 'waiting') return ['Waits for approval', 'info'];
  return isOverdue ? ['Overdue', 'danger'] : ['Open', 'neutral'];
}

interface StepProps {
  readonly order: Order;
  readonly step: PlanStep;
  readonly onChange: () => void;
}

function Step({ order, step, onChange }: StepProps) {
  const [text, tone] = badgeOf(step);
  return (
    <>
      <p className={css['head']}>
        <strong>{step.title}</strong> <Badge tone={tone}>{text}</Badge>
      </p>
      <p className={css['due']}>
        {displayDue(step)}
        {step.wantsApproval && step.state === 'open' && '. The customer is asked to approve it.'}
      </p>
      {step.request !== '' && (
        <blockquote className={css['note']}>
          <span className={css['due']}>The customer wants a change: </span>
          {step.request}
        </blockquote>
      )}
      {step.note !== '' && step.state !== 'open' && (
        <blockquote className={css['note']}>{step.note}</blockquote>
      )}
      <FileLinks files={step.files} />
      {order.paymentStatus === 'Paid' && order.orderStatus !== 'Delivered' && (
        <div className={css['ways']}>
          {step.state === 'open' ? (
            <TickOff order={order} step={step} onChange={onChange} />
          ) : (
            <Undo step={step} onChange={onChange} />
          )}
          {step.state !== 'done' && <DueDayForm step={step} onChange={onChange} />}
        </div>
      )}
    </>
  );
}

function TickOff({ order, step: { _id, title, wantsApproval }, onChange }: StepProps) {
  const [note, setNote] = useState('');
  const files = useFiles(order._id, `step ${_id}`);
  useUnsavedGuard(note.trim() !== '');
  const { act, isBusy, error } = useAction();
  const showToast = useToast();

  const tickOff = () =>
    act(async () => {
      if (files.obstacle !== undefined)
        throw new CallError({ title: 'Not done yet', status: 0, detail: files.obstacle });
      const body = { state: 'done' as const, note, files: [...files.ids] };
      await makeCall('PUT /order-step/:id', { id: _id, body });
      files.clear(body.files);
      showToast(wantsApproval ? 'The customer is asked to approve it' : 'Done, and the customer is told');
      onChange();
    });

  return (
    <details>
      <summary className={css['summary']}>
        Tick off<span className="visually-hidden">: {title}</span>
      </summary>
      <Form className={css['form']} noValidate={false} onSend={tickOff}>
        <TextAreaField
          id={`note-${_id}`}
          name="note"
          label="Note to the customer"
          required={false}
          dir="auto"
          rows={3}
          maxLength={maxNoteLength}
          value={note}
          readOnly={isBusy}
          help="Goes out with the email, and stays with the order."
          onChange={({ target }) => setNote(target.value)}
        />
        <FilePicker files={files} label="Add files to the step" />
        {error && <Failure error={error} />}
        <Button type="submit" busy={isBusy}>
          {wantsApproval ? 'Ask for approval' : 'Mark as done'}
        </Button>
      </Form>
    </details>
  );
}

function Undo({ step: { _id, title, state, doneAt }, onChange }: Omit<StepProps, 'order'>) {
  const { act, isBusy } = useAction(useToast());
  const change = async (work: () => Promise<unknown>, done: string) => {
    await act(work, done);
    // After a refusal, too: it has changed since it was shown.
    onChange();
  };
  const approve = () =>
    makeCall('PUT /order-step/:id/answer', { id: _id, body: { isApproved: true, doneAt: doneAt ?? '' } });
  const reopen = () =>
    makeCall('PUT /order-step/:id', {
      id: _id,
      // What has changed since is not taken back unseen.
      body: { state: 'open', seen: { state, doneAt: doneAt ?? '' } },
    });
  const spoken = <span className="visually-hidden">: {title}</span>;
  return (
    <div className={css['actions']}>
      {state === 'waiting' && (
        <Button
          size="small"
          variant="secondary"
          busy={isBusy}
          onClick={() => void change(approve, 'Approval recorded')}
        >
          Record their approval{spoken}
        </Button>
      )}
      <Button
        size="small"
        variant="quiet"
        busy={isBusy}
        onClick={() => void change(reopen, 'The step is open again')}
      >
        Open again{spoken}
      </Button>
    </div>
  );
}
