/** The replies to a message, the sender's emailed answers, and the form for another reply. */
import { useState } from 'react';
import { useQuery } from '@tanstack/react-query';
import type { Message, MessageReply } from '#contract/inbox.calls.ts';
import { maxReplyLength } from '#contract/inbox.ts';
import { Button } from '#site/ui/button.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { QuotedText } from '#site/ui/quoted-text.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { api } from '#site/app/call.ts';
import { Failure } from '#site/app/failure.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { callQuery, refetchScreen } from '#site/app/query.ts';
import { FileLinks } from '#site/features/conversation/files.tsx';
import { useForm } from '#site/app/use-form.ts';
import { useIdempotencyKey } from '#site/app/use-idempotency-key.ts';
import { useSessionFields } from '#site/app/use-session-fields.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { Panel } from '../shell/screen.tsx';
import { SavedAnswers } from './saved-answers.tsx';
import { stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './message.module.css';

export function Replies({ message }: { readonly message: Message }) {
  const replies = useQuery(callQuery('GET /message/:id/replies', { id: message._id }));
  return (
    <Panel title="Replies">
      <QueryBoundary query={replies} lines={2}>
        {(sent) => (
          <ul className={stack(4, css['replies'])}>
            {sent.map((reply) => (
              <OneReply key={reply._id} reply={reply} sender={message.name} />
            ))}
          </ul>
        )}
      </QueryBoundary>
      <ReplyForm message={message} />
    </Panel>
  );
}

const OneReply = ({
  reply: { side, text, quoted, files, at, by },
  sender,
}: {
  readonly reply: MessageReply;
  readonly sender: string;
}) => (
  <li data-side={side}>
    <p className={css['text']}>{text}</p>
    <QuotedText text={quoted} />
    <FileLinks files={files} call="GET /reply-file/:id" />
    <small className={typography['muted']}>
      <DateTime at={at} />
      {side === 'customer' ? `, ${sender} by email` : by && `, ${by}`}
    </small>
  </li>
);

function ReplyForm({ message: { _id, name, email } }: { readonly message: Message }) {
  const [text, setText] = useState('');
  const { ref, errors, failure, isBusy, submit } = useForm();
  const forget = useSessionFields(ref);
  const { keyFor, renew } = useIdempotencyKey();
  const showToast = useToast();
  useUnsavedGuard(text.trim() !== '');

  const send = () =>
    submit({
      check: () => (text.trim() === '' ? { text: 'Please type the reply.' } : {}),
      send: async () => {
        const options = { id: _id, body: { text }, idempotencyKey: keyFor(text) };
        await api('POST /message/:id/replies', options);
        renew();
        // Keep text that was typed while the reply was sent.
        forget({ text });
        setText((now) => (now === text ? '' : now));
        showToast(`Reply sent to ${email}`);
        void refetchScreen();
      },
    });

  return (
    <>
      <SavedAnswers name={name} replyForm={ref} />
      <Form ref={ref} className={stack(3, css['reply'])} onSend={send}>
        <TextAreaField
          name="text"
          label={`Reply to ${name}`}
          rows={6}
          maxLength={maxReplyLength}
          value={text}
          error={errors['text']}
          help={`We email it to ${email}, with the message quoted below it.`}
          onChange={({ target }) => setText(target.value)}
        />
        {failure && <Failure error={failure} />}
        <div>
          <Button type="submit" busy={isBusy}>
            Send reply
          </Button>
        </div>
      </Form>
    </>
  );
}
