/** What came from where: messages, orders and sales by source. */
import { displayPrice } from '#contract/money.ts';
import { displaySource } from '#contract/source.ts';
import { Table } from '#components/table.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { Panel } from '../screen.tsx';
import { useWaitingChange } from '../inbox-counts.ts';

export function Sources() {
  const loaded = useLoaded('sources', async (signal) => (await makeCall('GET /sources', { signal })).data);
  useWaitingChange(loaded.reload);
  return (
    <Panel title="Where customers come from">
      <WhenLoaded loaded={loaded} lines={3}>
        {(sources) => (
          <Table
            caption="Messages, orders and sales by source"
            rows={sources}
            rowKey={({ source }) => source}
            columns={[
              {
                key: 'source',
                header: 'Source',
                wide: true,
                phone: 'lead',
                cell: ({ source }) => displaySource(source),
              },
              {
                key: 'messages',
                header: 'Messages',
                align: 'end',
                phone: 'named',
                cell: ({ messages }) => messages,
              },
              { key: 'orders', header: 'Orders', align: 'end', phone: 'named', cell: ({ orders }) => orders },
              {
                key: 'paid',
                header: 'Paid',
                align: 'end',
                phone: 'named',
                cell: ({ paidOrders }) => paidOrders,
              },
              {
                key: 'sales',
                header: 'Sales after refunds',
                align: 'end',
                phone: 'end',
                cell: ({ cents }) => displayPrice(cents),
              },
            ]}
            empty={<p>The sources of messages and orders will be listed here.</p>}
          />
        )}
      </WhenLoaded>
    </Panel>
  );
}
