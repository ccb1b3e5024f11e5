/** A step that waits for its customer: what we say of it, and the two answers to it. */
import { useState } from 'react';
import { maxNoteLength, type PlanStep } from '#contract/work.ts';
import { Button } from '#components/button.tsx';
import { TextAreaField } from '#components/field.tsx';
import { Form } from '#components/form.tsx';
import { makeCall } from '../shared/call.ts';
import { FileLinks } from '../shared/conversation/files.tsx';
import { Failure } from '../shared/failure.tsx';
import { displayDay } from '../shared/plan-texts.ts';
import { useForm } from '../shared/use-form.ts';
import { useUnsavedGuard } from '../shared/use-unsaved-guard.ts';
import css from './approval-form.module.css';

export interface ApprovalFormProps {
  readonly step: PlanStep;
  /** Called once it is answered. */
  readonly onAnswered: () => void;
}

export function ApprovalForm({
  step: { _id, title, dueDay, isOverdue, details, note, files },
  onAnswered,
}: ApprovalFormProps) {
  const [isAsking, setIsAsking] = useState(false);
  const [request, setRequest] = useState('');
  const { ref, errors, failure, isBusy, submit, clear } = useForm();
  useUnsavedGuard(request.trim() !== '');
  const answer = (isApproved: boolean) =>
    submit({
      send: async () => {
        const body = { isApproved, ...(!isApproved && { request }) };
        await makeCall('PUT /order-step/:id/answer', { id: _id, body });
        onAnswered();
      },
    });

  return (
    <Form ref={ref} className={css['form']} aria-label={`Your answer: ${title}`} onSend={() => answer(false)}>
      <h3 className={css['title']}>{title}</h3>
      {details !== '' && <p>{details}</p>}
      {note !== '' && <blockquote className={css['note']}>{note}</blockquote>}
      <FileLinks files={files} />
      <p className={css['due']}>
        {isOverdue
          ? `Please answer soon: this was due on ${displayDay(dueDay)}.`
          : `Please answer by ${displayDay(dueDay)}.`}
      </p>
      {isAsking && (
        <TextAreaField
          id={`request-${_id}`}
          name="request"
          label="What should we change?"
          required
          dir="auto"
          rows={4}
          maxLength={maxNoteLength}
          value={request}
          error={errors['request']}
          onChange={({ target }) => {
            setRequest(target.value);
            clear('request');
          }}
        />
      )}
      {failure && <Failure error={failure} />}
      <div className={css['actions']}>
        {isAsking ? (
          <>
            <Button type="submit" busy={isBusy}>
              Send the request
            </Button>
            <Button variant="secondary" onClick={() => setIsAsking(false)}>
              Back
            </Button>
          </>
        ) : (
          <>
            <Button busy={isBusy} onClick={() => void answer(true)}>
              Approve
            </Button>
            <Button variant="secondary" onClick={() => setIsAsking(true)}>
              Ask for a change
            </Button>
          </>
        )}
      </div>
    </Form>
  );
}
