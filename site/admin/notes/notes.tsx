/** Internal staff notes about a customer, an order or a message. */
import type { StaffNote } from '#contract/notes.calls.ts';
import type { NoteKind } from '#contract/notes.ts';
import { pageSizes } from '#contract/paging.ts';
import { Card } from '#site/ui/card.tsx';
import { deletion } from '#site/ui/confirm.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { Fold } from '#site/ui/fold.tsx';
import { Form } from '#site/ui/form.tsx';
import { Pagination } from '#site/ui/pagination.tsx';
import { api } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { refetchScreen } from '#site/app/query.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { useForm } from '#site/app/use-form.ts';
import { usePage } from '#site/app/use-page.ts';
import { useTypedText } from '#site/app/use-typed-text.ts';
import { stack } from '#site/ui/layout.ts';

export function Notes({ kind, id }: { readonly kind: NoteKind; readonly id: string }) {
  const list = usePage(`GET /${kind}/:id/notes`, { id, pageSize: pageSizes.notes });
  const { ref, ...form } = useForm();
  const { text, setText, keyFor, clearSent } = useTypedText(ref, 'note');

  const add = () =>
    form.submit({
      check: () => (text.trim() === '' ? { text: 'Please enter a note.' } : {}),
      send: async () => {
        const options = { id, body: { text }, idempotencyKey: keyFor(text) };
        await api(`POST /${kind}/:id/notes`, options);
        clearSent();
        // The new note is on the first page.
        list.setPage(1);
        void refetchScreen();
      },
    });

  return (
    <Card title="Notes">
      <Fold isNeeded={text.trim() !== ''} summary="Add a note">
        <Form ref={ref} errors={form.errors} className={stack(3)} onSend={add}>
          <TextAreaField
            id="new-note"
            name="text"
            label="New note"
            rows={3}
            maxLength={5_000}
            value={text}
            help="Only your staff sees this note, never the customer."
            onChange={({ target }) => setText(target.value)}
          />
          <SendButton form={form}>Add note</SendButton>
        </Form>
      </Fold>
      <QueryBoundary query={list} lines={3}>
        {({ rows }) => (
          <>
            {rows.length === 0 && <p className="note">Notes that you add will be listed here.</p>}
            <ul className={stack(4)}>
              {rows.map((note) => (
                <Note key={note._id} kind={kind} note={note} />
              ))}
            </ul>
            <Pagination list={list} label="Pages of notes" />
          </>
        )}
      </QueryBoundary>
    </Card>
  );
}

function Note({ kind, note }: { readonly kind: NoteKind; readonly note: StaffNote }) {
  return (
    <li>
      <p className="multiline">{note.text}</p>
      <span className="note">
        <DateTime at={note.at} />
        {note.by && `, ${note.by}`}
      </span>
      <ActionButton
        variant="quiet"
        size="small"
        action={() => api(`DELETE /${kind}-note/:id`, { id: note._id })}
        done="Note deleted"
        question={deletion('Delete this note?')}
      >
        Delete<span className="visually-hidden"> the note “{note.text.slice(0, 40)}”</span>
      </ActionButton>
    </li>
  );
}
