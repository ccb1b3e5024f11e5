/** All subscribers, newest first. */
import { Mail } from 'lucide-react';
import type { Subscriber } from '#contract/inbox.calls.ts';
import { pageSizes } from '#contract/paging.ts';
import { Status } from '#site/ui/badge.tsx';
import { deletion } from '#site/ui/confirm.tsx';
import { addressWith, api } from '#site/app/call.ts';
import { EmailLink } from '#site/ui/email-text.tsx';
import { ActionButton } from '#site/app/action-button.tsx';
import { serialColumn } from '#site/app/paged-table.tsx';
import { usePage } from '#site/app/use-page.ts';
import { ListPanel } from '../lists/list-panel.tsx';
import { choosable, SelectionBar } from '../lists/selection.tsx';
import { useSelection, type BulkActions } from '../lists/use-bulk-actions.ts';
import { ExportButton } from '../shell/export-button.tsx';
import { ScreenFrame } from '../shell/screen.tsx';

const intro =
  'People who subscribed in the footer of the site, newest first. Send your newsletter only to confirmed addresses. The export contains only these, each with its unsubscribe link.';

const removeSubscriber = ({ _id }: Subscriber) => api('DELETE /subscriber/:id', { id: _id });

const severalSubscribers: BulkActions<Subscriber> = {
  noun: 'subscriber',
  nameOf: ({ subemail }) => subemail,
  actions: [
    {
      label: 'Delete',
      done: 'deleted',
      isDanger: true,
      question: (count) => ({
        title: `Delete ${count}?`,
        text: 'They will be permanently removed from the list.',
      }),
      change: removeSubscriber,
    },
  ],
};

const exportAddress = addressWith('GET /subscribers.csv', { query: { state: 'Confirmed' } });

export default function Subscribers() {
  const list = usePage('GET /subscribers', { pageSize: pageSizes.subscribers, inAddress: 'page' });
  const selection = useSelection<Subscriber>();
  return (
    <ScreenFrame
      title="Total Subscribers"
      intro={intro}
      actions={<ExportButton address={exportAddress} isEmpty={list.data?.total === 0} />}
    >
      <ListPanel
        title="Subscribers"
        noun="subscriber"
        caption="Subscribers"
        list={list}
        columns={[
          choosable(serialColumn(list), selection, ({ subemail }) => subemail),
          {
            header: 'Email',
            wide: true,
            phone: 'lead',
            cell: ({ subemail }) => <EmailLink email={subemail} />,
          },
          { header: 'Status', phone: 'plain', cell: ({ state }) => <Status status={state} /> },
          {
            header: 'Delete',
            align: 'end',
            phone: 'way',
            cell: (subscriber) => (
              <ActionButton
                variant="quiet"
                size="small"
                aria-label={`Delete ${subscriber.subemail}`}
                action={() => removeSubscriber(subscriber)}
                done="Subscriber deleted"
                question={deletion(
                  'Delete this subscriber?',
                  `${subscriber.subemail} will be permanently removed from the list.`,
                )}
              >
                Delete
              </ActionButton>
            ),
          },
        ]}
        icon={<Mail />}
        empty={[
          'No subscribers yet',
          'Everyone who subscribes in the footer of the site will be listed here.',
        ]}
      >
        <SelectionBar list={list} selection={selection} {...severalSubscribers} />
      </ListPanel>
    </ScreenFrame>
  );
}
