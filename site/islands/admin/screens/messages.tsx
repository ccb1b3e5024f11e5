/** Messages of the contact form, unread first. */
import { Download, Inbox, MailCheck } from 'lucide-react';
import { calls } from '../../../../worker/contract/calls.ts';
import type { Message, MessageStatus } from '../../../../worker/contract/messages.ts';
import { pageSizes } from '../../../../worker/contract/paging.ts';
import { pathFor } from '../../../../worker/contract/screens.ts';
import { Status } from '../../../components/badge.tsx';
import { LinkButton } from '../../../components/button.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { TextLink } from '../../../components/text-link.tsx';
import { callAddress } from '../../shared/call.ts';
import { PagedTable, serialColumn } from '../lists/paged-table.tsx';
import { usePage } from '../lists/use-page.ts';
import { Panel, ScreenFrame } from '../screen.tsx';

export default function Messages() {
  return (
    <ScreenFrame
      title="Welcome to Admin Panel"
      intro="Messages from the contact form, newest first."
      actions={
        <LinkButton
          href={callAddress(calls.exportMessages)}
          download
          variant="secondary"
          icon={<Download size={18} aria-hidden="true" />}
        >
          Export CSV
        </LinkButton>
      }
    >
      <MessageTable title="Unread Messages" messageStatus="UnRead" />
      <MessageTable title="Read Messages" messageStatus="Read" />
    </ScreenFrame>
  );
}

function MessageTable({
  title,
  messageStatus,
}: {
  readonly title: string;
  readonly messageStatus: MessageStatus;
}) {
  const list = usePage<Message>(calls.listMessages, pageSizes.messages, { messageStatus });
  return (
    <Panel title={title} aside={list.data && <span>{list.data.total}</span>}>
      <PagedTable
        caption={title}
        list={list}
        columns={[
          serialColumn(list),
          { key: 'name', header: 'Full Name', cell: ({ name }) => name },
          { key: 'number', header: 'Phone Number', cell: ({ number }) => number },
          { key: 'email', header: 'Email', wide: true, cell: ({ email }) => email },
          { key: 'subject', header: 'Subject', wide: true, cell: ({ subject }) => subject },
          {
            key: 'status',
            header: 'Message Status',
            cell: (message) => <Status status={message.messageStatus} />,
          },
          {
            key: 'view',
            header: 'View',
            cell: ({ _id }) => <TextLink href={pathFor('/view/:id', _id)}>View Message</TextLink>,
          },
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
