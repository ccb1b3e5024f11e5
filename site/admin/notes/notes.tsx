/** Internal notes of the staff about a customer, an order or a message. */
import { useState } from 'react';
import type { StaffNote } from '#contract/notes.calls.ts';
import type { NoteKind } from '#contract/notes.ts';
import { pageSizes } from '#contract/paging.ts';
import { Button } from '#site/ui/button.tsx';
import { confirmDeletion } from '#site/ui/confirm.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { Fold } from '#site/ui/fold.tsx';
import { Form } from '#site/ui/form.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { useMutation } from '#site/app/use-mutation.ts';
import { useForm } from '#site/app/use-form.ts';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import { usePage } from '#site/app/use-page.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { Panel } from '../shell/screen.tsx';
import { stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './notes.module.css';

export function Notes({ kind, id }: { readonly kind: NoteKind; readonly id: string }) {
  const list = usePage(`GET /${kind}/:id/notes`, { id, pageSize: pageSizes.notes });
  const [text, setText] = useState('');
  const { ref, errors, failure, isBusy, submit } = useForm();
  const forget = useSessionFields(ref, 'note');
  const { keyFor, renew } = useIdempotencyKey();
  const { mutate: remove } = useMutation({
    mutationFn: ({ _id }: StaffNote) => api(`DELETE /${kind}-note/:id`, { id: _id }),
    done: 'Note deleted',
    toastsError: true,
  });
  useUnsavedGuard(text.trim() !== '');

  const add = () =>
    submit({
      check: () => (text.trim() === '' ? { note: 'Please type the note.' } : {}),
      send: async () => {
        const options = { id, body: { text }, idempotencyKey: keyFor(text) };
        await api(`POST /${kind}/:id/notes`, options);
        renew();
        // Keep text that was typed while the note was sent.
        forget({ note: text });
        setText((now) => (now === text ? '' : now));
        // The new note is on the first page.
        list.setPage(1);
        void refetchScreen();
      },
    });
  const removeIfSure = async (note: StaffNote) => {
    if (await confirmDeletion('Delete this note?')) remove(note);
  };

  return (
    <Panel title="Notes">
      <Fold isNeeded={text.trim() !== ''} summary="Add a note">
        <Form ref={ref} className={stack(3, css['form'])} onSend={add}>
          <TextAreaField
            id="new-note"
            name="note"
            label="New note"
            rows={3}
            maxLength={5_000}
            value={text}
            error={errors['note'] ?? errors['text']}
            help="Only your staff sees it, never the customer."
            onChange={({ target }) => setText(target.value)}
          />
          {failure && <Failure error={failure} />}
          <Button type="submit" busy={isBusy}>
            Add note
          </Button>
        </Form>
      </Fold>
      <QueryBoundary query={list} lines={3}>
        {({ rows }) => (
          <>
            {rows.length === 0 && (
              <p className={typography['note']}>Notes that you add will be listed here.</p>
            )}
            <ul className={stack(4)}>
              {rows.map((note) => (
                <Note key={note._id} note={note} onDelete={() => void removeIfSure(note)} />
              ))}
            </ul>
            <Pagination
              page={list.page}
              pageCount={list.pageCount}
              onPage={list.setPage}
              label="Pages of notes"
            />
          </>
        )}
      </QueryBoundary>
    </Panel>
  );
}

function Note({ note, onDelete }: { readonly note: StaffNote; readonly onDelete: () => void }) {
  return (
    <li>
      <p className={css['text']}>{note.text}</p>
      <span className={typography['note']}>
        <DateTime at={note.at} />
        {note.by && `, ${note.by}`}
      </span>
      <Button variant="quiet" size="small" onClick={onDelete}>
        Delete<span className="visually-hidden"> the note “{note.text.slice(0, 40)}”</span>
      </Button>
    </li>
  );
}
