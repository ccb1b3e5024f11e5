/** The questions of an order as a form that saves automatically. The button sends the answers. */
import { useEffect, useEffectEvent, useId, type ChangeEvent } from 'react';
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { briefProblems, maxAnswerLength } from '#contract/plans.ts';
import type { Brief, BriefQuestion } from '#contract/plans.calls.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { Form } from '#site/ui/form.tsx';
import type { CallError } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { useSavedAnswers, type SavedAnswers } from './use-saved-answers.ts';
import { classNames } from '#site/ui/class-names.ts';
import { row, stack } from '#site/ui/layout.ts';
import css from './brief-form.module.css';

interface BriefFormProps {
  readonly orderId: string;
  readonly brief: Brief;
  /** Prefills the first question that asks for a link. */
  readonly website: string;
}

export function BriefForm({ orderId, brief, website }: BriefFormProps) {
  const { answers, change, isSaved, error, unsaved, errors, save, send } = useSavedAnswers(orderId, brief);
  useKnownWebsite(brief, website, change);
  const { ref, failure, isBusy, submit, clear, errors: refused } = useForm();
  const status = useId();
  const isPartly = Object.keys(errors).length > 0;
  useUnsavedGuard(!isSaved || isPartly);
  const answered = brief.questions.map((question) => ({
    ...question,
    choices: [...question.choices],
    answer: answers[question._id] ?? '',
  }));

  const fillIn = (question: string, answer: string) => {
    change(question, answer);
    clear(question);
  };

  return (
    <Form
      ref={ref}
      errors={{ ...errors, ...refused }}
      className={stack(5, css['form'])}
      onSend={() => {
        void submit({
          check: () => briefProblems(answered),
          send: async () => {
            await send();
            void refetchScreen();
          },
        });
      }}
    >
      {brief.earlier && <EarlierAnswers earlier={brief.earlier} answers={answers} onUse={fillIn} />}
      {answered.map((question) => (
        <QuestionField
          key={question._id}
          question={question}
          isSending={isBusy}
          saveError={unsaved.includes(question._id) ? error : undefined}
          onChange={(answer) => {
            // The form disappears once it is sent, so input during the send would be lost.
            if (isBusy) return;
            change(question._id, answer);
          }}
        />
      ))}
      <ErrorSummary questions={answered.filter(({ _id }) => _id in refused)} />
      <Failure error={failure} />
      {!failure && <Failure error={error} onRetry={() => void save()} />}
      <div className={row([3, 4])}>
        <Button type="submit" busy={isBusy} aria-describedby={status}>
          Send answers
        </Button>
        <p id={status} role="status" className="muted">
          {statusText({
            isSaved,
            isPartly,
            isStuck: error !== undefined,
            isEmpty: isSaved && answered.every(({ answer }) => answer === ''),
          })}
        </p>
      </div>
    </Form>
  );
}

/** Lists the questions whose answers keep the form from being sent. They may be out of view. */
function ErrorSummary({ questions }: { readonly questions: readonly BriefQuestion[] }) {
  if (questions.length === 0) return null;
  return (
    <Alert title="Please check these answers">
      <ul className={stack(1)}>
        {questions.map(({ _id, question }) => (
          <li key={_id}>{question}</li>
        ))}
      </ul>
    </Alert>
  );
}

interface EarlierAnswersProps {
  readonly earlier: NonNullable<Brief['earlier']>;
  readonly answers: SavedAnswers['answers'];
  readonly onUse: SavedAnswers['change'];
}

/** Offers the answers from another order while a question that they answer is empty. */
function EarlierAnswers({ earlier, answers, onUse }: EarlierAnswersProps) {
  const missing = Object.entries(earlier.answers).filter(([question]) => (answers[question] ?? '') === '');
  if (missing.length === 0) return null;
  return (
    <Alert
      tone="info"
      isStanding
      title="You have answered these questions before"
      action={
        <Button
          variant="secondary"
          onClick={() => {
            for (const [question, answer] of missing) onUse(question, answer);
          }}
        >
          Use my answers from order {displayOrderNumber(earlier.number)}
        </Button>
      }
    >
      Your earlier answers fill in the empty fields. You can change them before you send them.
    </Alert>
  );
}

function statusText(at: {
  readonly isSaved: boolean;
  readonly isPartly: boolean;
  readonly isStuck: boolean;
  readonly isEmpty: boolean;
}): string {
  if (at.isEmpty) return 'Your answers are saved as you type.';
  if (!at.isSaved) return at.isStuck ? 'Not saved yet.' : 'Saving…';
  return at.isPartly
    ? 'Everything you typed is saved, except for the answers with a note beside them.'
    : 'Everything you typed is saved.';
}

/** Fills in the known website while no question is answered. It is saved like typed text, and can be deleted. */
function useKnownWebsite({ questions }: Brief, website: string, change: SavedAnswers['change']): void {
  const type = useEffectEvent(() => {
    const asked = questions.find(({ kind }) => kind === 'link');
    if (asked && website !== '' && questions.every(({ answer }) => answer === '')) change(asked._id, website);
  });
  useEffect(() => type(), []);
}

/** The alert with the same error is below the last question, so it may be out of view. */
const QuestionHelp = ({
  help,
  saveError,
}: { readonly help: string } & Pick<QuestionFieldProps, 'saveError'>) => (
  <>
    {saveError && (
      <strong className={classNames('danger', css['unsaved'])}>
        Not saved yet.{' '}
        {saveError.status === 401 ? (
          <>
            You have been signed out.{' '}
            <a href={linkTo('login')} target="_blank">
              Log in (new tab)
            </a>
          </>
        ) : (
          saveError.message
        )}
      </strong>
    )}
    {help}
  </>
);

interface QuestionFieldProps {
  readonly question: BriefQuestion;
  readonly isSending: boolean;
  /** Why the answer is not saved; undefined if it is, or will be soon. */
  readonly saveError: CallError | undefined;
  readonly onChange: (answer: string) => void;
}

function QuestionField({ question, isSending, saveError, onChange }: QuestionFieldProps) {
  const { _id, question: label, help, kind, choices, isRequired, answer } = question;
  const common = {
    name: _id,
    label,
    value: answer,
    required: isRequired,
    ...((help !== '' || saveError) && { help: <QuestionHelp help={help} saveError={saveError} /> }),
    onChange: ({ target }: ChangeEvent<HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement>) =>
      onChange(target.value),
  };
  switch (kind) {
    case 'text':
      return (
        <TextAreaField {...common} readOnly={isSending} dir="auto" rows={4} maxLength={maxAnswerLength} />
      );
    case 'link':
      return (
        <Field
          {...common}
          readOnly={isSending}
          inputMode="url"
          autoCapitalize="none"
          spellCheck={false}
          autoComplete="url"
        />
      );
    case 'choice': {
      // A choice that no longer exists stays selected until the user chooses another one.
      const former = ['', ...choices].includes(answer) ? [] : [answer];
      return <SelectField {...common} options={[['', 'Please choose'], ...choices, ...former]} />;
    }
    case 'line':
      return <Field {...common} readOnly={isSending} dir="auto" autoComplete="off" />;
  }
}
