/** What the staff notes about a customer. */
import { useState } from 'react';
import type { CustomerNote } from '#contract/customers.ts';
import { Button } from '#components/button.tsx';
import { ConfirmDialog } from '#components/confirm-dialog.tsx';
import { TextAreaField } from '#components/field.tsx';
import { Form } from '#components/form.tsx';
import { useToast } from '#components/toast.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { Failure } from '#site/islands/shared/failure.tsx';
import { Moment } from '#site/islands/shared/moment.tsx';
import { useAction } from '#site/islands/shared/use-action.ts';
import { useForm } from '#site/islands/shared/use-form.ts';
import { useUnsavedGuard } from '#site/islands/shared/use-unsaved-guard.ts';
import { Panel } from '../screen.tsx';
import css from './notes.module.css';

export interface NotesProps {
  readonly customerId: string;
  readonly notes: readonly CustomerNote[];
  readonly onChange: () => void;
}

export function Notes({ customerId, notes, onChange }: NotesProps) {
  const [text, setText] = useState('');
  const [leaving, setLeaving] = useState<CustomerNote>();
  const { ref, errors, failure, isBusy, submit } = useForm();
  const { act } = useAction(useToast());
  useUnsavedGuard(text.trim() !== '');

  const add = () =>
    submit({
      check: () => (text.trim() === '' ? { text: 'Please type the note.' } : {}),
      send: async () => {
        await makeCall('POST /customer/:id/notes', { id: customerId, body: { text } });
        // What was typed meanwhile stays.
        setText((now) => (now === text ? '' : now));
        onChange();
      },
    });
  const remove = async ({ _id }: CustomerNote) => {
    if (await act(() => makeCall('DELETE /customer-note/:id', { id: _id }), 'Note deleted')) onChange();
  };

  return (
    <Panel title="Notes">
      <Form ref={ref} className={css['form']} onSend={add}>
        <TextAreaField
          name="text"
          label="New note"
          rows={3}
          maxLength={5_000}
          value={text}
          error={errors['text']}
          help="Only your staff sees it, never the customer."
          onChange={({ target }) => setText(target.value)}
        />
        {failure && <Failure error={failure} />}
        <Button type="submit" busy={isBusy}>
          Add note
        </Button>
      </Form>
      <ul className={css['notes']}>
        {notes.map((note) => (
          <li key={note._id}>
            <p className={css['text']}>{note.text}</p>
            <span className={css['about']}>
              <Moment at={note.at} />
              {note.by && `, ${note.by}`}
            </span>
            <Button variant="quiet" size="small" onClick={() => setLeaving(note)}>
              Delete<span className="visually-hidden"> the note “{note.text.slice(0, 40)}”</span>
            </Button>
          </li>
        ))}
      </ul>
      <ConfirmDialog
        open={leaving !== undefined}
        onClose={() => setLeaving(undefined)}
        title="Delete this note?"
        confirm="Delete"
        decline="Keep"
        variant="danger"
        onConfirm={() => {
          if (leaving) void remove(leaving);
        }}
      >
        It is deleted for good.
      </ConfirmDialog>
    </Panel>
  );
}
