/** The replies to a message, the sender's emailed answers, and the form for another reply. */
import type { Message, MessageReply } from '#contract/inbox.calls.ts';
import { maxReplyLength } from '#contract/inbox.ts';
import { Card } from '#site/ui/card.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { TextAreaField } from '#site/ui/field.tsx';
import { Form } from '#site/ui/form.tsx';
import { QuotedText } from '#site/ui/quoted-text.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { api } from '#site/app/call.ts';
import { SendButton } from '#site/app/send-button.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { refetchScreen, useCall } from '#site/app/query.ts';
import { FileLinks } from '#site/features/conversation/files.tsx';
import { useForm } from '#site/app/use-form.ts';
import { useTypedText } from '#site/app/use-typed-text.ts';
import { SavedAnswers } from './saved-answers.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './message.module.css';

export function Replies({ message }: { readonly message: Message }) {
  const replies = useCall('GET /message/:id/replies', { id: message._id });
  return (
    <Card title="Replies">
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
    </Card>
  );
}

interface OneReplyProps {
  readonly reply: MessageReply;
  readonly sender: string;
}

const OneReply = ({ reply: { side, text, quoted, files, at, by }, sender }: OneReplyProps) => (
  <li data-side={side}>
    <p className={css['text']}>{text}</p>
    <QuotedText text={quoted} />
    <FileLinks files={files} call="GET /reply-file/:id" />
    <small className="muted">
      <DateTime at={at} />
      {side === 'customer' ? `, ${sender} by email` : by && `, ${by}`}
    </small>
  </li>
);

function ReplyForm({ message: { _id, name, email } }: { readonly message: Message }) {
  const { ref, ...form } = useForm();
  const { text, setText, keyFor, clearSent } = useTypedText(ref, 'reply');

  const send = () =>
    form.submit({
      check: () => (text.trim() === '' ? { text: 'Please enter a reply.' } : {}),
      send: async () => {
        const options = { id: _id, body: { text }, idempotencyKey: keyFor(text) };
        await api('POST /message/:id/replies', options);
        clearSent();
        showToast(`Reply sent to ${email}`);
        void refetchScreen();
      },
    });

  return (
    <>
      <SavedAnswers name={name} replyForm={ref} />
      <Form ref={ref} errors={form.errors} className={stack(3, css['reply'])} onSend={send}>
        <TextAreaField
          name="text"
          label={`Reply to ${name}`}
          rows={6}
          maxLength={maxReplyLength}
          value={text}
          help={`We email your reply to ${email}, with the message quoted below it.`}
          onChange={({ target }) => setText(target.value)}
        />
        <SendButton form={form}>Send reply</SendButton>
      </Form>
    </>
  );
}
