/** A step that needs the customer's approval: our note, and the two possible answers. */
import { useState } from 'react';
import { flushSync } from 'react-dom';
import { maxNoteLength } from '#contract/plans.ts';
import type { PlanStep } from '#contract/plans.calls.ts';
import { Button } from '#site/ui/button.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '../app/toasts.tsx';
import { api } from '../app/call.ts';
import { FileLinks, FilePicker } from '../features/conversation/files.tsx';
import { useFiles } from '../features/conversation/use-files.ts';
import { Failure } from '../app/failure.tsx';
import { focusHeading } from '../ui/focus-heading.ts';
import { NotSent } from '../ui/not-sent.tsx';
import { displayDay } from '../features/brief/plan-texts.ts';
import { refetchScreen } from '../app/query.ts';
import { useForm } from '../app/use-form.ts';
import { useSessionFields } from '../app/use-session-fields.ts';
import { useUnsavedGuard } from '../app/use-unsaved-guard.ts';
import { cluster, stack, target } from '#site/ui/layout.ts';

interface ApprovalFormProps {
  readonly orderId: string;
  readonly step: PlanStep;
  /** Why the step can no longer be answered; undefined if it can. */
  readonly disabledReason: string | undefined;
}

/** The request, with the names of the drafts that it refers to. */
const requestAbout = (drafts: readonly string[], text: string): string =>
  drafts.length === 0 || text.trim() === '' ? text : `${drafts.join(', ')}:\n${text}`;

export function ApprovalForm({ orderId, step, disabledReason }: ApprovalFormProps) {
  const { _id, title, doneAt } = step;
  const [drafts, setDrafts] = useState<readonly string[]>([]);
  const files = useFiles(orderId, `request ${_id}`);
  const [isAsking, setIsAsking] = useState(false);
  const [request, setRequest] = useState('');
  const { ref, errors, failure, isBusy, submit } = useForm();
  const forget = useSessionFields(ref, `request ${_id}`);
  useUnsavedGuard(request.trim() !== '');
  const isOver = disabledReason !== undefined && request === '';
  const discard = () => {
    forget();
    setRequest('');
    setDrafts([]);
    setIsAsking(false);
  };
  /** Shows the field for a request and focuses it, or hides it. */
  const askOrNot = (isWanted: boolean) => {
    flushSync(() => setIsAsking(isWanted));
    if (isWanted) ref.current?.querySelector('textarea')?.focus();
  };
  const answer = (isApproved: boolean) =>
    submit({
      check: () => (isApproved || files.disabledReason === undefined ? {} : { files: files.disabledReason }),
      send: async () => {
        const changeRequest = { request: requestAbout(drafts, request), files: [...files.ids] };
        // The server rejects the answer if the step was completed again after this page was loaded.
        const body = { isApproved, ...(!isApproved && changeRequest), doneAt: doneAt ?? '' };
        await api('PUT /order-step/:id/answer', { id: _id, body });
        if (!isApproved) files.clear(changeRequest.files);
        // The form disappears together with the pressed button.
        focusHeading(ref.current);
        discard();
        showToast(isApproved ? 'Approval recorded' : 'Your request has been sent');
        void refetchScreen();
      },
      onConflict: () => void refetchScreen(),
    });

  return (
    <Form
      ref={ref}
      errors={errors}
      className={stack(3)}
      aria-label={`Your answer: ${title}`}
      hidden={isOver && !failure}
      onSend={() => answer(false)}
    >
      {disabledReason === undefined && <WhatIsDone step={step} />}
      {disabledReason !== undefined && request !== '' && (
        <NotSent title={`Your request was not sent: ${title}`} reason={disabledReason} onDiscard={discard} />
      )}
      <div className={stack(3)} hidden={isOver || !(isAsking || disabledReason)}>
        {step.files.length > 1 && (
          <DraftChoice names={step.files.map(({ name }) => name)} chosen={drafts} onChange={setDrafts} />
        )}
        <TextAreaField
          id={`request-${_id}`}
          name="request"
          label="What should we change?"
          required
          dir="auto"
          rows={4}
          maxLength={maxNoteLength}
          value={request}
          readOnly={isBusy}
          onChange={({ target }) => {
            // This also shows text that was typed before a reload.
            setIsAsking(true);
            setRequest(target.value);
          }}
        />
        <FilePicker files={files} label="Add files" isClosed={disabledReason !== undefined} />
      </div>
      {(isOver || !disabledReason) && <Failure error={failure} />}
      {disabledReason === undefined && (
        <Answers isAsking={isAsking} isBusy={isBusy} answer={answer} onAsking={askOrNot} />
      )}
    </Form>
  );
}

interface DraftChoiceProps {
  readonly names: readonly string[];
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

const DraftChoice = ({ names, chosen, onChange }: DraftChoiceProps) => (
  <fieldset className={stack(0)}>
    <legend>Which drafts should change? (optional)</legend>
    {names.map((name) => (
      <label key={name} className={target()}>
        <input
          type="checkbox"
          checked={chosen.includes(name)}
          onChange={({ target }) =>
            onChange(names.filter((other) => (other === name ? target.checked : chosen.includes(other))))
          }
        />
        {name}
      </label>
    ))}
  </fieldset>
);

function WhatIsDone({
  step: { title, dueDay, answerDay, isOverdue, details, note, files },
}: {
  readonly step: PlanStep;
}) {
  return (
    <>
      <h3>{title}</h3>
      {details !== '' && <p>{details}</p>}
      {note !== '' && <blockquote className="quote">{note}</blockquote>}
      <FileLinks files={files} />
      <p className="muted">
        {isOverdue
          ? `Please answer soon. We asked for your answer by ${displayDay(answerDay ?? dueDay)}.`
          : `Please answer by ${displayDay(answerDay ?? dueDay)}.`}
      </p>
    </>
  );
}

interface AnswersProps {
  readonly isAsking: boolean;
  readonly isBusy: boolean;
  readonly answer: (isApproved: boolean) => Promise<void>;
  readonly onAsking: (isAsking: boolean) => void;
}

const Answers = ({ isAsking, isBusy, answer, onAsking }: AnswersProps) => (
  <div className={cluster(2)}>
    {isAsking ? (
      <>
        <Button type="submit" busy={isBusy}>
          Send the request
        </Button>
        <Button variant="secondary" onClick={() => onAsking(false)}>
          Back
        </Button>
      </>
    ) : (
      <>
        <Button busy={isBusy} onClick={() => void answer(true)}>
          Approve
        </Button>
        <Button variant="secondary" onClick={() => onAsking(true)}>
          Ask for a change
        </Button>
      </>
    )}
  </div>
);
