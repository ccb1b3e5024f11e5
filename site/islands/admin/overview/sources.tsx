/** What came from where: messages, orders and sales by source. */
import { displayPrice } from '#contract/money.ts';
import { displaySource } from '#contract/source.ts';
import { Table } from '#components/table.tsx';
import { makeCall } from '#site/islands/shared/call.ts';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { Panel } from '../screen.tsx';

export function Sources() {
  const loaded = useLoaded('sources', async (signal) => (await makeCall('GET /sources', { signal })).data);
  return (
    <Panel title="Where customers come from">
      <WhenLoaded loaded={loaded} lines={3}>
        {(sources) => (
          <Table
            caption="Messages, orders and sales by source"
            rows={sources}
            rowKey={({ source }) => source}
            columns={[
              { key: 'source', header: 'Source', wide: true, cell: ({ source }) => displaySource(source) },
              { key: 'messages', header: 'Messages', align: 'end', cell: ({ messages }) => messages },
              { key: 'orders', header: 'Orders', align: 'end', cell: ({ orders }) => orders },
              { key: 'paid', header: 'Paid', align: 'end', cell: ({ paidOrders }) => paidOrders },
              {
                key: 'sales',
                header: 'Sales after refunds',
                align: 'end',
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
