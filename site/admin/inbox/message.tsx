/** One message from the contact form, with all actions: reply, mark as read, assign, delete, go to the next. */
import { useEffect, useRef, useState } from 'react';
import { Reply } from 'lucide-react';
import { describeSource } from '#contract/source.ts';
import { linkTo } from '#contract/screens.ts';
import type { Message } from '#contract/inbox.calls.ts';
import { Badge, Status } from '#site/ui/badge.tsx';
import { LinkButton } from '#site/ui/button.tsx';
import { Card } from '#site/ui/card.tsx';
import { deletion } from '#site/ui/confirm.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { focusHeading } from '#site/ui/focus-heading.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { contactHref } from '#site/ui/safe-link.tsx';
import { api } from '#site/app/call.ts';
import { EmailLink } from '#site/ui/email-text.tsx';
import { DateTime } from '#site/ui/date-time.tsx';
import { refetchScreen, useCall } from '#site/app/query.ts';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { Assignee } from '../notes/assignee.tsx';
import { Notes } from '../notes/notes.tsx';
import { Facts } from '../shell/facts.tsx';
import { refetchInboxCounts } from '../shell/inbox-counts.ts';
import type { MessageFilters } from './list-filters.ts';
import { MessageSteps } from './message-steps.tsx';
import { Replies } from './replies.tsx';
import { replyHref } from './reply.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import css from './message.module.css';

interface MessagePaneProps {
  readonly id: string;
  /** The filters of the list from which the message was opened. */
  readonly filters: MessageFilters;
  readonly isBesideList: boolean;
  /** Whether the document was opened with another message or the list. If so, the screen's heading takes the focus. */
  readonly takesFocus: boolean;
}

export function MessagePane({ id, filters, isBesideList, takesFocus }: MessagePaneProps) {
  const query = useCall('GET /message/:id', { id });
  const [isDeleted, setIsDeleted] = useState(false);
  const pane = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) focusHeading(pane.current);
  }, [takesFocus]);
  const isMissing = query.error?.status === 404;
  return (
    <div ref={pane} className={stack(5, css['pane'])} data-beside={isBesideList || undefined}>
      {(isDeleted || !isMissing) && <MessageSteps id={id} filters={filters} />}
      {isDeleted || isMissing ? (
        <NoMessage isDeleted={isDeleted} />
      ) : (
        <QueryBoundary query={query} lines={5}>
          {(message) => (
            <>
              <MessageView message={message} onDelete={() => setIsDeleted(true)} />
              <Replies message={message} />
              <Notes kind="message" id={id} />
            </>
          )}
        </QueryBoundary>
      )}
    </div>
  );
}

const NoMessage = ({ isDeleted }: { readonly isDeleted: boolean }) => (
  <EmptyState
    title={isDeleted ? 'This message was deleted' : 'We could not find this message'}
    action={<LinkButton href={linkTo('messages')}>All messages</LinkButton>}
  >
    {!isDeleted && 'It may have been deleted, or the address is misspelled.'}
  </EmptyState>
);

function MessageView({ message, onDelete }: { readonly message: Message; readonly onDelete: () => void }) {
  const { _id, name, email, number, subject, messageStatus, newReplyAt, receivedAt, source } = message;
  const phone = contactHref(number);
  return (
    <Card
      title={name}
      aside={
        <span className={cluster(3)}>
          {newReplyAt !== null && <Badge tone="info">New reply</Badge>}
          <Status status={messageStatus} />
        </span>
      }
    >
      <Facts
        facts={[
          ['Email', <EmailLink email={email} />],
          ['Phone number', phone === undefined ? number : <TextLink href={phone}>{number}</TextLink>],
          ['Subject', subject],
          ['Received', <DateTime at={receivedAt} />],
          ['Came from', describeSource(source)],
        ]}
      />
      <p className={css['text']}>{message.message}</p>
      <Assignee kind="message" id={_id} />
      <MessageActions message={message} onDelete={onDelete} />
    </Card>
  );
}

function MessageActions({ message, onDelete }: { readonly message: Message; readonly onDelete: () => void }) {
  const { _id, messageStatus, newReplyAt } = message;
  return (
    <div className={cluster(3)}>
      <LinkButton variant="secondary" href={replyHref(message)} icon={<Reply size="1.125rem" />}>
        Reply in your email program
      </LinkButton>
      {(messageStatus === 'UnRead' || newReplyAt !== null) && (
        <ActionButton
          variant="secondary"
          action={() => api('PUT /message/:id', { id: _id, body: { messageStatus: 'Read' } })}
          done={messageStatus === 'UnRead' ? 'Message is Read' : 'Reply marked as read'}
        >
          {messageStatus === 'UnRead' ? 'Mark Read' : 'Mark reply read'}
        </ActionButton>
      )}
      <ActionButton
        variant="danger"
        action={() => api('DELETE /message/:id', { id: _id })}
        done="Message deleted"
        question={deletion('Delete this message?')}
        // The message no longer exists, so there is nothing to reload.
        changesNothing
        onSuccess={() => {
          onDelete();
          refetchInboxCounts();
        }}
        onError={() => void refetchScreen()}
      >
        Delete
      </ActionButton>
    </div>
  );
}
