/** The dialog in which administrators edit the saved answers. */
import { useState } from 'react';
import type { SavedAnswer } from '#contract/inbox.calls.ts';
import { maxReplyLength } from '#contract/inbox.ts';
import { newId } from '#contract/ids.ts';
import { Button } from '#site/ui/button.tsx';
import { confirmDeletion } from '#site/ui/confirm.tsx';
import { Dialog } from '#site/ui/dialog.tsx';
import { Field, TextAreaField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api, formBody } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { useForm } from '#site/app/use-form.ts';
import { useMutation } from '#site/app/use-mutation.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import { cluster, row, stack } from '#site/ui/layout.ts';
import css from './message.module.css';

interface SavedAnswersDialogProps {
  readonly answers: readonly SavedAnswer[];
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SavedAnswersDialog({ answers, open, onClose }: SavedAnswersDialogProps) {
  const [edited, setEdited] = useState<SavedAnswer>();
  const { mutate: remove } = useMutation({
    mutationFn: ({ _id }: SavedAnswer) => api('DELETE /saved-answer/:id', { id: _id }),
    done: 'Answer deleted',
    toastsError: true,
  });
  async function removeIfSure(answer: SavedAnswer) {
    if (await confirmDeletion(`Delete the saved answer “${answer.title}”?`)) remove(answer);
  }
  const close = () => {
    setEdited(undefined);
    onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={close}
      title="Saved answers"
      actions={
        !edited && (
          <>
            <Button variant="secondary" onClick={close}>
              Close
            </Button>
            <Button onClick={() => setEdited({ _id: newId(), title: '', text: '' })}>New answer</Button>
          </>
        )
      }
    >
      {edited ? (
        <AnswerForm answer={edited} onDone={() => setEdited(undefined)} />
      ) : (
        <>
          {answers.length === 0 && <p>Texts that you use often, ready to insert into a reply.</p>}
          <ul className={stack(2, css['answers'])}>
            {answers.map((answer) => (
              <li key={answer._id} className={row([1, 3])}>
                {answer.title}
                <span className={cluster(3)}>
                  <Button variant="secondary" size="small" onClick={() => setEdited(answer)}>
                    Edit<span className="visually-hidden"> “{answer.title}”</span>
                  </Button>
                  <Button variant="danger" size="small" onClick={() => void removeIfSure(answer)}>
                    Delete<span className="visually-hidden"> “{answer.title}”</span>
                  </Button>
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
  const { ref, errors, failure, isBusy, submit } = useForm();
  // Escape closes the dialog. What was typed is there again when the form opens.
  const forget = useSessionFields(ref, `answer ${title === '' ? '' : _id}`);
  const showToast = useToast();

  const save = (form: HTMLFormElement) =>
    submit({
      send: async () => {
        await api('PUT /saved-answer/:id', { id: _id, body: formBody('PUT /saved-answer/:id', form) });
        forget();
        showToast('Answer saved');
        await refetchScreen();
        onDone();
      },
    });

  return (
    <Form ref={ref} className={stack(3)} onSend={() => void (ref.current && save(ref.current))}>
      <Field
        id="answer-title"
        name="title"
        label="Title"
        maxLength={100}
        defaultValue={title}
        error={errors['title']}
      />
      <TextAreaField
        id="answer-text"
        name="text"
        label="Text"
        rows={8}
        maxLength={maxReplyLength}
        defaultValue={text}
        error={errors['text']}
        help="{name} is replaced by the customer’s name."
      />
      {failure && <Failure error={failure} />}
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
        <Button type="submit" busy={isBusy}>
          Save answer
        </Button>
      </div>
    </Form>
  );
}
