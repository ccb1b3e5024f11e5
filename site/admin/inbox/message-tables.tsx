/** The tables of unread and read messages, with actions for several messages. */
import { Inbox, MailCheck, SearchX } from 'lucide-react';
import type { Message } from '#contract/inbox.calls.ts';
import type { MessageStatus } from '#contract/inbox.ts';
import { pageSizes } from '#contract/paging.ts';
import { Badge, Status } from '#site/ui/badge.tsx';
import { Card } from '#site/ui/card.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { RowLink, type Column } from '#site/ui/table.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { EmailText } from '#site/ui/email-text.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { PagedTable, serialColumn } from '#site/app/paged-table.tsx';
import { usePage } from '#site/app/use-page.ts';
import { choosable, SelectionBar } from '../lists/selection.tsx';
import { AssigneeBadge } from '../notes/assignee.tsx';
import { linkInList, queryOf, type MessageFilters } from './list-filters.ts';
import { replyHref } from './reply.ts';
import { classNames } from '#site/ui/class-names.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import css from './messages.module.css';
import { api } from '#site/app/call.ts';
import { useSelection, type BulkAction, type BulkActions } from '../lists/use-bulk-actions.ts';

const pageNames = { UnRead: 'unread', Read: 'read' } as const;

interface TablesProps {
  /** The current values of the filter form, for links. */
  readonly filters: MessageFilters;
  /** The values that the lists use. They change after the user stops typing. */
  readonly wanted: MessageFilters;
  /** The id of the open message; empty if none is open. */
  readonly openId: string;
}

export const MessageTables = (props: TablesProps) => (
  <>
    <MessageTable title="Unread messages" messageStatus="UnRead" {...props} />
    <MessageTable title="Read messages" messageStatus="Read" {...props} />
  </>
);

const columns: readonly Column<Message>[] = [
  {
    header: 'Full Name',
    phone: 'lead',
    cell: ({ name, receivedAt }) => (
      <div className={stack(0, css['sender'])}>
        {name}
        <small className="muted">
          <RelativeTime at={receivedAt} />
        </small>
      </div>
    ),
  },
  {
    header: 'Phone Number',
    phone: 'plain',
    cell: ({ number }) => <span className={css['number']}>{number}</span>,
  },
  {
    header: 'Email',
    wide: true,
    phone: 'whole',
    cell: (message) => (
      <div className={css['sender']}>
        <TextLink href={replyHref(message)} title={`Reply to ${message.name} by email`}>
          <EmailText email={message.email} />
        </TextLink>
      </div>
    ),
  },
  {
    header: 'Subject',
    wide: true,
    phone: 'whole',
    cell: (message) => (
      <div className={stack(0, css['subject'])}>
        {message.subject}
        <small className={classNames('muted', css['excerpt'])}>{message.message.slice(0, 200)}</small>
        <Badges message={message} />
      </div>
    ),
  },
  { header: 'Message Status', phone: 'end', cell: (message) => <Status status={message.messageStatus} /> },
];

function Badges({ message: { repliedAt, newReplyAt, assignee } }: { readonly message: Message }) {
  if (repliedAt === null && newReplyAt === null && !assignee) return null;
  return (
    <span className={cluster([1, 2], css['badges'])}>
      {newReplyAt !== null && <Badge tone="info">New reply</Badge>}
      {newReplyAt === null && repliedAt !== null && <Badge tone="success">Replied</Badge>}
      {assignee && <AssigneeBadge assignee={assignee} />}
    </span>
  );
}

interface TableProps extends TablesProps {
  readonly title: string;
  readonly messageStatus: MessageStatus;
}

function MessageTable({ title, messageStatus, filters, wanted, openId }: TableProps) {
  const list = usePage('GET /messages', {
    query: { messageStatus, ...queryOf(wanted) },
    pageSize: pageSizes.messages,
    inAddress: pageNames[messageStatus],
  });
  const selection = useSelection<Message>(wanted);
  const isNarrowed = wanted.q.trim() !== '' || wanted.show !== '';
  const view: Column<Message> = {
    header: 'View',
    phone: 'way',
    cell: ({ _id, name }) => (
      <RowLink
        href={linkInList(_id, filters, messageStatus)}
        aria-current={_id === openId ? 'true' : undefined}
      >
        View Message<span className="visually-hidden"> from {name}</span>
      </RowLink>
    ),
  };
  return (
    <Card title={title} aside={list.data && <span>{list.data.total}</span>}>
      <SelectionBar list={list} selection={selection} {...messageBulkActions(messageStatus)} />
      <PagedTable
        caption={title}
        list={list}
        columns={[
          choosable(serialColumn(list), selection, ({ name }) => `the message from ${name}`),
          ...columns,
          view,
        ]}
        empty={isNarrowed ? <NoMatch /> : <NoMessages messageStatus={messageStatus} />}
      />
    </Card>
  );
}

const NoMatch = () => (
  <EmptyState title="No matching messages" icon={<SearchX />}>
    Try fewer words, or search all messages.
  </EmptyState>
);

const NoMessages = ({ messageStatus }: { readonly messageStatus: MessageStatus }) =>
  messageStatus === 'UnRead' ? (
    <EmptyState title="No unread messages" icon={<MailCheck />}>
      A new message from the contact form will be listed here.
    </EmptyState>
  ) : (
    <EmptyState title="No read messages yet" icon={<Inbox />}>
      Messages that you mark read will be listed here.
    </EmptyState>
  );

const markRead: BulkAction<Message> = {
  label: 'Mark read',
  done: 'marked read',
  change: ({ _id }) => api('PUT /message/:id', { id: _id, body: { messageStatus: 'Read' } }),
};

const remove: BulkAction<Message> = {
  label: 'Delete',
  done: 'deleted',
  isDanger: true,
  question: (count) => ({ title: `Delete ${count}?`, text: 'You cannot undo this.' }),
  change: ({ _id }) => api('DELETE /message/:id', { id: _id }),
};

const messageBulkActions = (status: MessageStatus): BulkActions<Message> => ({
  noun: 'message',
  nameOf: ({ name }) => name,
  actions: status === 'UnRead' ? [markRead, remove] : [remove],
});
