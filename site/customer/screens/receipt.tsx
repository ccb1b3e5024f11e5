/** `/order/{id}/receipt`: the receipt of a paid order, for printing. */
import { displayOrderNumber } from '#contract/orders.ts';
import type { Receipt } from '#contract/receipts.calls.ts';
import { displayPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { useCall } from '#site/app/query.ts';
import { Amounts, Facts, Note, PrintDocumentScreen, Parties } from '../papers/print-document.tsx';
import { classNames } from '#site/ui/class-names.ts';
import css from '../papers/print-document.module.css';

export default function ReceiptScreen({ id }: { readonly id: string }) {
  const query = useCall('GET /order/:id/receipt', { id });
  const { data } = query;
  return (
    <PrintDocumentScreen
      title={data ? `Receipt ${displayOrderNumber(data.orderNumber)}` : 'Receipt'}
      query={query}
      wayBack={{ href: linkTo('myOrder', id), label: 'Back to the order' }}
    >
      {(receipt) => (
        <>
          <Facts
            facts={[
              ['Receipt for order', displayOrderNumber(receipt.orderNumber)],
              ['Ordered', receipt.placedOn],
              ['Paid', receipt.paidOn],
              ['Payment', receipt.paidWith],
              ['Transaction', receipt.transactionId],
              ...deliveryFacts(receipt),
            ]}
          />
          <Parties {...receipt} />
          <Amounts
            caption="Items"
            rows={receipt.lines.map(({ title, details, amountCents }) => ({
              key: title,
              title: <Line title={title} details={details} />,
              amount: displayPrice(amountCents),
            }))}
            sum={[['Total, paid in full', displayPrice(receipt.totalCents)]]}
          />
          {receipt.refunds.length > 0 && <Refunds receipt={receipt} />}
          {receipt.disputedCents > 0 && <Disputed receipt={receipt} />}
          <Note text={receipt.seller?.receiptNote} />
        </>
      )}
    </PrintDocumentScreen>
  );
}

const deliveryFacts = ({ delivery }: Receipt): (readonly [string, string])[] =>
  delivery === undefined
    ? []
    : [
        ['Delivered', delivery.deliveredOn],
        ['Delivery note', delivery.note],
        ['Delivered files', delivery.files.join(', ')],
      ];

const Line = ({ title, details }: Pick<Receipt['lines'][number], 'title' | 'details'>) => (
  <>
    <span className="strong">{title}</span>
    {details.length > 0 && (
      <ul className={classNames('note', css['details'])}>
        {details.map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
    )}
  </>
);

const refundedIn = ({ refunds }: Receipt): number =>
  refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);

const Disputed = ({ receipt }: { readonly receipt: Receipt }) => (
  <Amounts
    caption="What the bank took back"
    rows={[{ key: 'disputed', title: 'Disputed card payment', amount: displayPrice(-receipt.disputedCents) }]}
    sum={[
      [
        'Total after the dispute',
        displayPrice(receipt.totalCents - refundedIn(receipt) - receipt.disputedCents),
      ],
    ]}
  />
);

function Refunds({ receipt }: { readonly receipt: Receipt }) {
  const { refunds, totalCents } = receipt;
  const refundedCents = refundedIn(receipt);
  return (
    <Amounts
      caption="What was refunded"
      rows={refunds.map(({ _id, number, refundedOn, amountCents }) => ({
        key: _id,
        title: (
          <>
            Credit note <TextLink href={linkTo('creditNote', _id)}>{number}</TextLink>, {refundedOn}
          </>
        ),
        amount: displayPrice(-amountCents),
      }))}
      sum={[
        ['Refunded', displayPrice(-refundedCents)],
        ['Total after refunds', displayPrice(totalCents - refundedCents)],
      ]}
    />
  );
}
