/** Messages of the contact form, unread first. */
import { Inbox, MailCheck } from 'lucide-react';
import type { Message } from '#contract/inbox.calls.ts';
import type { MessageStatus } from '#contract/inbox.ts';
import { pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Badge, Status } from '#site/ui/badge.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { RowLink, type Column } from '#site/ui/table.tsx';
import { TextLink } from '#site/ui/text-link.tsx';
import { addressWith } from '#site/app/call.ts';
import { EmailText } from '#site/ui/email-text.tsx';
import { RelativeTime } from '#site/ui/date-time.tsx';
import { PagedTable, serialColumn } from '#site/app/paged-table.tsx';
import { type PagedList, pageNamed, usePage } from '#site/app/use-page.ts';
import { choosable, SelectionBar } from '../lists/selection.tsx';
import { useSelection } from '../lists/use-selection.ts';
import { replyHref } from './reply.ts';
import { messageBulkActions } from './message-bulk-actions.ts';
import { ExportButton } from '../shell/export-button.tsx';
import { Panel, ScreenFrame } from '../shell/screen.tsx';
import { useRefetchOnInboxChange } from '../shell/inbox-counts.ts';
import css from './messages.module.css';

const pageOf = { UnRead: pageNamed('unread'), Read: pageNamed('read') } as const;

const useMessages = (messageStatus: MessageStatus) =>
  usePage('GET /messages', {
    query: { messageStatus },
    pageSize: pageSizes.messages,
    address: pageOf[messageStatus],
  });

export default function Messages() {
  const unread = useMessages('UnRead');
  const read = useMessages('Read');
  useRefetchOnInboxChange();
  return (
    <ScreenFrame
      title="Welcome to Admin Panel"
      intro="Messages from the contact form, newest first."
      actions={<ExportButton address={addressWith('GET /messages.csv')} />}
    >
      <MessageTable title="Unread messages" messageStatus="UnRead" list={unread} />
      <MessageTable title="Read messages" messageStatus="Read" list={read} />
    </ScreenFrame>
  );
}

const columns: readonly Column<Message>[] = [
  {
    key: 'name',
    header: 'Full Name',
    phone: 'lead',
    cell: ({ name, receivedAt }) => (
      <div className={css['sender']}>
        {name}
        <small>
          <RelativeTime at={receivedAt} />
        </small>
      </div>
    ),
  },
  {
    key: 'number',
    header: 'Phone Number',
    phone: 'plain',
    cell: ({ number }) => <span className={css['number']}>{number}</span>,
  },
  {
    key: 'email',
    header: 'Email',
    wide: true,
    phone: 'whole',
    cell: (message) => (
      <TextLink href={replyHref(message)} title={`Reply to ${message.name} by email`}>
        <EmailText email={message.email} />
      </TextLink>
    ),
  },
  {
    key: 'subject',
    header: 'Subject',
    wide: true,
    phone: 'whole',
    cell: ({ subject, message, repliedAt }) => (
      <div className={css['subject']}>
        {subject}
        <small className={css['firstLine']}>{message.split('\n', 1)[0]}</small>
        {repliedAt !== null && <Badge tone="success">Answered</Badge>}
      </div>
    ),
  },
  {
    key: 'status',
    header: 'Message Status',
    phone: 'end',
    cell: (message) => <Status status={message.messageStatus} />,
  },
  {
    key: 'view',
    header: 'View',
    phone: 'way',
    cell: ({ _id, name }) => (
      <RowLink href={linkTo('message', _id)}>
        View Message<span className="visually-hidden"> of {name}</span>
      </RowLink>
    ),
  },
];

interface MessageTableProps {
  readonly title: string;
  readonly messageStatus: MessageStatus;
  readonly list: PagedList<Message>;
}

function MessageTable({ title, messageStatus, list }: MessageTableProps) {
  const selection = useSelection<Message>();
  return (
    <Panel title={title} aside={list.data && <span>{list.data.total}</span>}>
      <SelectionBar list={list} selection={selection} {...messageBulkActions(messageStatus)} />
      <PagedTable
        caption={title}
        list={list}
        columns={[
          choosable(serialColumn(list), selection, ({ name }) => `the message of ${name}`),
          ...columns,
        ]}
        empty={
          messageStatus === 'UnRead' ? (
            <EmptyState title="No unread messages" icon={<MailCheck aria-hidden="true" />}>
              A new message from the contact form will be listed here.
            </EmptyState>
          ) : (
            <EmptyState title="No read messages yet" icon={<Inbox aria-hidden="true" />}>
              Messages that you mark read will be listed here.
            </EmptyState>
          )
        }
      />
    </Panel>
  );
}
