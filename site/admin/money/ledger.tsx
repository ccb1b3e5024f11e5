/** Every movement of money, newest first, with the balance that it led to, and a CSV of all. */
import { Scale } from 'lucide-react';
import { counted } from '#contract/counted.ts';
import { displayPrice } from '#contract/money.ts';
import { displayOrderNumber } from '#contract/orders.ts';
import { pageSizes } from '#contract/paging.ts';
import { ledgerEntryTexts } from '#contract/payments.ts';
import { linkTo } from '#contract/screens.ts';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { RowLink } from '#site/ui/table.tsx';
import { addressWith } from '#site/app/call.ts';
import { DateTime } from '#site/ui/date-time.tsx';
import { PagedTable } from '#site/app/paged-table.tsx';
import { bySequence, pageAddress, usePage } from '#site/app/use-page.ts';
import { ExportButton } from '../shell/export-button.tsx';
import { Panel, ScreenFrame } from '../shell/screen.tsx';
import css from './ledger.module.css';

export default function Ledger() {
  const list = bySequence(usePage('GET /ledger', { pageSize: pageSizes.ledger, address: pageAddress }));
  return (
    <ScreenFrame
      title="Ledger"
      intro="Every payment, refund and dispute, in the order recorded. Nothing in this list is ever changed."
      actions={<ExportButton address={addressWith('GET /ledger.csv', {})} />}
    >
      <Panel title={list.data ? counted(list.data.total, 'movement') : 'Movements'}>
        <PagedTable
          caption="Ledger"
          list={list}
          columns={[
            { key: 'date', header: 'Date', phone: 'plain', cell: ({ at }) => <DateTime at={at} /> },
            {
              key: 'order',
              header: 'Order',
              phone: 'mark',
              cell: ({ orderId, orderNumber }) => (
                <RowLink href={linkTo('order', orderId)}>{displayOrderNumber(orderNumber)}</RowLink>
              ),
            },
            { key: 'kind', header: 'Kind', phone: 'lead', cell: ({ kind }) => ledgerEntryTexts[kind] },
            {
              key: 'amount',
              header: 'Amount',
              align: 'end',
              phone: 'end',
              cell: ({ amountCents }) => displayPrice(amountCents, { withCents: true }),
            },
            {
              key: 'balance',
              header: 'Balance',
              align: 'end',
              phone: 'named',
              cell: ({ balanceCents }) => displayPrice(balanceCents, { withCents: true }),
            },
            {
              key: 'stripe',
              header: 'Stripe id',
              wide: true,
              phone: 'whole',
              cell: ({ stripeId }) => stripeId && <code className={css['id']}>{stripeId}</code>,
            },
          ]}
          empty={
            <EmptyState title="No money has moved yet" icon={<Scale aria-hidden="true" />}>
              As soon as an order is paid, the payment is listed here.
            </EmptyState>
          }
        />
      </Panel>
    </ScreenFrame>
  );
}
