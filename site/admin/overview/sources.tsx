/** Messages, orders and sales by source. */
import { displayPrice } from '#contract/money.ts';
import { displaySource } from '#contract/source.ts';
import { Table } from '#site/ui/table.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { useCall } from '#site/app/query.ts';
import { Panel } from '../shell/screen.tsx';

export function Sources() {
  const loaded = useCall('GET /sources');
  return (
    <Panel title="Where customers come from">
      <QueryBoundary query={loaded} lines={3}>
        {(sources) => (
          <Table
            caption="Messages, orders and sales by source"
            rows={sources}
            rowKey={({ source }) => source}
            columns={[
              { header: 'Source', wide: true, phone: 'lead', cell: ({ source }) => displaySource(source) },
              { header: 'Messages', align: 'end', phone: 'named', cell: ({ messages }) => messages },
              { header: 'Orders', align: 'end', phone: 'named', cell: ({ orders }) => orders },
              { header: 'Paid', align: 'end', phone: 'named', cell: ({ paidOrders }) => paidOrders },
              {
                header: 'Sales after refunds',
                align: 'end',
                phone: 'end',
                cell: ({ cents }) => displayPrice(cents),
              },
            ]}
            empty={<p>The sources of messages and orders will be listed here.</p>}
          />
        )}
      </QueryBoundary>
    </Panel>
  );
}
