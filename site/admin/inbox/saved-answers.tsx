/** Inserts a saved answer into the reply at the cursor. Administrators can open the dialog that edits the list. */
import { useState, type RefObject } from 'react';
import type { SavedAnswer } from '#contract/inbox.calls.ts';
import { fillName } from '#contract/fill-name.ts';
import { maxReplyLength } from '#contract/inbox.ts';
import { newId } from '#contract/ids.ts';
import { Button } from '#site/ui/button.tsx';
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { SelectField } from '#site/ui/select-field.tsx';
import { useCall, refetchScreen } from '#site/app/query.ts';
import { offers } from '../shell/role.ts';
import { stack, cluster, spread } from '#site/ui/layout.ts';
import css from './message.module.css';
import { deletion } from '#site/ui/confirm.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { Form } from '#site/ui/form.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api, formBody } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { useForm } from '#site/app/use-form.ts';
import { ActionButton } from '#site/app/action-button.tsx';
import { useSessionFields } from '#site/app/use-session-fields.ts';

function insertAtCursor(area: HTMLTextAreaElement, text: string): void {
  area.setRangeText(text, area.selectionStart, area.selectionEnd, 'end');
  area.dispatchEvent(new Event('input', { bubbles: true }));
  area.focus();
}

interface SavedAnswersProps {
  readonly name: string;
  readonly replyForm: RefObject<HTMLFormElement | null>;
}

export function SavedAnswers({ name, replyForm }: SavedAnswersProps) {
  const { data: answers = [] } = useCall('GET /saved-answers');
  const [chosen, setChosen] = useState('');
  const [isManaging, setIsManaging] = useState(false);
  const answer = answers.find(({ _id }) => _id === chosen);

  function insert({ text }: SavedAnswer) {
    const area = replyForm.current?.querySelector('textarea');
    if (area) insertAtCursor(area, fillName(text, name));
  }

  if (answers.length === 0 && !offers('administrator')) return null;
  return (
    <div className={stack(3, css['reply'])}>
      {answers.length > 0 && (
        <div className={css['insert']}>
          <SelectField
            name="savedAnswer"
            label="Saved reply"
            options={[['', 'Choose one'], ...answers.map(({ _id, title }) => [_id, title] as const)]}
            value={answer?._id ?? ''}
            onChange={({ target }) => setChosen(target.value)}
          />
          <Button
            variant="secondary"
            aria-disabled={!answer || undefined}
            onClick={() => answer && insert(answer)}
          >
            Insert
          </Button>
        </div>
      )}
      {offers('administrator') && (
        <div className="flush">
          <Button variant="quiet" size="small" onClick={() => setIsManaging(true)}>
            Manage saved replies
          </Button>
          <SavedAnswersDialog answers={answers} open={isManaging} onClose={() => setIsManaging(false)} />
        </div>
      )}
    </div>
  );
}

interface SavedAnswersDialogProps {
  readonly answers: readonly SavedAnswer[];
  readonly open: boolean;
  readonly onClose: () => void;
}

function SavedAnswersDialog({ answers, open, onClose }: SavedAnswersDialogProps) {
  const [edited, setEdited] = useState<SavedAnswer>();
  const close = () => {
    setEdited(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Saved replies"
      decline={edited ? undefined : 'Close'}
      actions={
        !edited && <Button onClick={() => setEdited({ _id: newId(), title: '', text: '' })}>New reply</Button>
      }
    >
      {edited ? (
        <AnswerForm answer={edited} onDone={() => setEdited(undefined)} />
      ) : (
        <>
          {answers.length === 0 && <p>Texts that you use often, ready to insert into a reply.</p>}
          <ul className={stack(2)}>
            {answers.map((answer) => (
              <li key={answer._id} className={spread([1, 3])}>
                {answer.title}
                <span className={cluster(3)}>
                  <Button variant="secondary" size="small" onClick={() => setEdited(answer)}>
                    Edit<span className="visually-hidden"> “{answer.title}”</span>
                  </Button>
                  <ActionButton
                    variant="danger"
                    size="small"
                    action={() => api('DELETE /saved-answer/:id', { id: answer._id })}
                    done="Reply deleted"
                    question={deletion(`Delete the saved reply “${answer.title}”?`)}
                  >
                    Delete<span className="visually-hidden"> “{answer.title}”</span>
                  </ActionButton>
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </Dialog>
  );
}

interface AnswerFormProps {
  readonly answer: SavedAnswer;
  readonly onDone: () => void;
}

function AnswerForm({ answer: { _id, title, text }, onDone }: AnswerFormProps) {
  const { ref, ...form } = useForm();
  // Escape closes the dialog. Typed text is restored when the form opens again.
  const forget = useSessionFields(ref, `answer ${title === '' ? '' : _id}`);

  const save = (element: HTMLFormElement) =>
    form.submit({
      send: async () => {
        await api('PUT /saved-answer/:id', { id: _id, body: formBody('PUT /saved-answer/:id', element) });
        forget();
        showToast('Reply saved');
        await refetchScreen();
        onDone();
      },
    });

  return (
    <Form ref={ref} errors={form.errors} className={stack(3)} onSend={save}>
      <Field id="answer-title" name="title" label="Title" maxLength={100} defaultValue={title} />
      <TextAreaField
        id="answer-text"
        name="text"
        label="Text"
        rows={8}
        maxLength={maxReplyLength}
        defaultValue={text}
        help="{name} is replaced by the customer’s name."
      />
      <Failure error={form.failure} />
      <div className={cluster(3)}>
        <Button
          variant="secondary"
          onClick={() => {
            forget();
            onDone();
          }}
        >
          Back
        </Button>
        <Button type="submit" busy={form.isBusy}>
          Save reply
        </Button>
      </div>
    </Form>
  );
}
