/** Messages of the contact form, unread first. */
import { useState } from 'react';
import { Download, Inbox, MailCheck } from 'lucide-react';
import type { Message, MessageStatus } from '#contract/messages.ts';
import { maxPageSize, pageSizes } from '#contract/paging.ts';
import { linkTo } from '#contract/screens.ts';
import { Status } from '#components/badge.tsx';
import { Button, LinkButton } from '#components/button.tsx';
import { ConfirmDialog } from '#components/confirm-dialog.tsx';
import { EmptyState } from '#components/empty-state.tsx';
import { TextLink } from '#components/text-link.tsx';
import { useToast } from '#components/toast.tsx';
import { addressWith, makeCall } from '#site/islands/shared/call.ts';
import { useAction } from '#site/islands/shared/use-action.ts';
import { counted } from '#contract/counted.ts';
import { Age } from '#site/islands/shared/moment.tsx';
import { PagedTable } from '#site/islands/shared/paged-table.tsx';
import { selectableSerialColumn, SelectionBar } from '../lists/selection.tsx';
import { usePage, type PagedList } from '#site/islands/shared/use-page.ts';
import { useSelection, type Selection } from '../lists/use-selection.ts';
import { Panel, ScreenFrame } from '../screen.tsx';
import css from './messages.module.css';

export default function Messages() {
  return (
    <ScreenFrame
      title="Welcome to Admin Panel"
      intro="Messages from the contact form, newest first."
      actions={
        <LinkButton
          href={addressWith('GET /messages.csv')}
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
  const list = usePage(pageSizes.messages, { messageStatus }, (query, signal) =>
    makeCall('GET /messages', { query, signal }),
  );
  const selection = useSelection();
  const rows = list.data?.rows ?? [];
  return (
    <Panel title={title} aside={list.data && <span>{list.data.total}</span>}>
      {rows.length > 0 && (
        <SelectionBar rows={rows} selection={selection}>
          <DeleteChosen list={list} selection={selection} />
        </SelectionBar>
      )}
      <PagedTable
        caption={title}
        list={list}
        columns={[
          selectableSerialColumn(list, selection, ({ name }: Message) => `the message of ${name}`),
          {
            key: 'name',
            header: 'Full Name',
            cell: ({ name, receivedAt }) => (
              <div className={css['twoLines']}>
                {name}
                <small>
                  <Age at={receivedAt} />
                </small>
              </div>
            ),
          },
          { key: 'number', header: 'Phone Number', cell: ({ number }) => number },
          { key: 'email', header: 'Email', wide: true, cell: ({ email }) => email },
          {
            key: 'subject',
            header: 'Subject',
            wide: true,
            cell: ({ subject, message }) => (
              <div className={css['twoLines']}>
                {subject}
                <small className={css['firstLine']}>{message.split('\n', 1)[0]}</small>
              </div>
            ),
          },
          {
            key: 'status',
            header: 'Message Status',
            cell: (message) => <Status status={message.messageStatus} />,
          },
          {
            key: 'view',
            header: 'View',
            cell: ({ _id }) => <TextLink href={linkTo('message', _id)}>View Message</TextLink>,
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

/** Deletes the chosen messages, after a question. */
function DeleteChosen({
  list,
  selection,
}: {
  readonly list: PagedList<Message>;
  readonly selection: Selection;
}) {
  const [isAsking, setIsAsking] = useState(false);
  const showToast = useToast();
  const { act, isBusy } = useAction(showToast);
  const chosen = counted(selection.ids.size, 'message');

  /** As many at a time as one call takes. */
  async function deleteAll() {
    let deleted = 0;
    for (let ids = [...selection.ids]; ids.length > 0; ids = ids.slice(maxPageSize)) {
      const body = { ids: ids.slice(0, maxPageSize) };
      deleted += (await makeCall('DELETE /messages', { body })).data.deleted;
    }
    selection.clear();
    showToast(`${counted(deleted, 'message')} deleted`);
  }

  async function remove() {
    await act(deleteAll);
    list.reload();
  }

  return (
    <>
      <Button
        variant="danger"
        size="small"
        disabled={selection.ids.size === 0}
        busy={isBusy}
        onClick={() => setIsAsking(true)}
      >
        Delete selected
      </Button>
      <ConfirmDialog
        open={isAsking}
        onClose={() => setIsAsking(false)}
        title={`Delete ${chosen}?`}
        confirm="Delete"
        decline="Keep"
        variant="danger"
        onConfirm={() => void remove()}
      >
        {selection.ids.size === 1 ? 'It is deleted for good.' : 'They are deleted for good.'}
      </ConfirmDialog>
    </>
  );
}
