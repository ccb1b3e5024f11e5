/** `/order/{id}/receipt`: the receipt of a paid order, made for print. */
import { displayOrderNumber } from '#contract/orders.ts';
import type { Receipt } from '#contract/receipts.calls.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { api } from '#site/app/call.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { Amounts, dollars, Facts, Note, PrintDocumentScreen, Parties } from '../papers/print-document.tsx';
import css from '../papers/print-document.module.css';

const readReceipt = async (id: string, signal: AbortSignal) =>
  (await api('GET /order/:id/receipt', { id, signal })).data;

export default function ReceiptScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readReceipt(id, signal));
  useRefetchOnFocus(loaded.reload);
  const { data } = loaded;
  return (
    <PrintDocumentScreen
      title={data ? `Receipt ${displayOrderNumber(data.orderNumber)}` : 'Receipt'}
      loaded={loaded}
      wayBack={{ href: linkTo('myOrder', id), label: 'To the order' }}
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
            caption="What was bought"
            rows={receipt.lines.map(({ title, details, amountCents }) => ({
              key: title,
              title: <Line title={title} details={details} />,
              amount: dollars(amountCents),
            }))}
            sum={[['Total, paid in full', dollars(receipt.totalCents)]]}
          />
          {receipt.refunds.length > 0 && <Refunds receipt={receipt} />}
          <Note {...receipt} />
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
    <span className={css['title']}>{title}</span>
    {details.length > 0 && (
      <ul className={css['details']}>
        {details.map((detail) => (
          <li key={detail}>{detail}</li>
        ))}
      </ul>
    )}
  </>
);

function Refunds({ receipt: { refunds, totalCents } }: { readonly receipt: Receipt }) {
  const refundedCents = refunds.reduce((sum, { amountCents }) => sum + amountCents, 0);
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
        amount: dollars(-amountCents),
      }))}
      sum={[
        ['Refunded', dollars(-refundedCents)],
        ['Total after refunds', dollars(totalCents - refundedCents)],
      ]}
    />
  );
}
