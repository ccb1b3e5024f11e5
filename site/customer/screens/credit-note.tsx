/** `/credit-note/{id}`: the credit note of a refund, for printing. */
import { displayOrderNumber } from '#contract/orders.ts';
import { displayPrice } from '#contract/money.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { useCall } from '#site/app/query.ts';
import { Amounts, Facts, Note, PrintDocumentScreen, Parties } from '../papers/print-document.tsx';

export default function CreditNoteScreen({ id }: { readonly id: string }) {
  const query = useCall('GET /credit-note/:id', { id });
  const { data } = query;
  return (
    <PrintDocumentScreen
      title={data ? `Credit note ${data.number}` : 'Credit note'}
      query={query}
      wayBack={{ href: linkTo('myOrders'), label: 'Go to your orders' }}
    >
      {(note) => (
        <>
          <Facts
            facts={[
              ['Credit note', note.number],
              ['Refunded', note.refundedOn],
              ['Order', displayOrderNumber(note.orderNumber)],
              ['Paid', `${note.paidOn}, ${displayPrice(note.paidCents)}`],
              ['Refunded to', note.paidWith],
            ]}
          />
          <Parties {...note} />
          <Amounts
            caption="What was refunded"
            rows={[
              {
                key: note.number,
                title: (
                  <>
                    {note.packageName} package,{' '}
                    <TextLink href={linkTo('receipt', note.orderId)}>
                      receipt for order {displayOrderNumber(note.orderNumber)}
                    </TextLink>
                  </>
                ),
                amount: displayPrice(-note.amountCents),
              },
            ]}
            sum={[['Refunded', displayPrice(-note.amountCents)]]}
          />
          <Note text={note.note} />
          <Note text={note.seller?.receiptNote} />
        </>
      )}
    </PrintDocumentScreen>
  );
}
