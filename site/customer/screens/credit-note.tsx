/** `/credit-note/{id}`: what a refund has returned, made for print. */
import { displayOrderNumber } from '#contract/orders.ts';
import { linkTo } from '#contract/screens.ts';
import { TextLink } from '#site/ui/text-link.tsx';
import { api } from '#site/app/call.ts';
import { useLoaded } from '#site/app/use-loaded.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { Amounts, dollars, Facts, Note, PrintDocumentScreen, Parties } from '../papers/print-document.tsx';
import css from '../papers/print-document.module.css';

const readCreditNote = async (id: string, signal: AbortSignal) =>
  (await api('GET /credit-note/:id', { id, signal })).data;

export default function CreditNoteScreen({ id }: { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readCreditNote(id, signal));
  useRefetchOnFocus(loaded.reload);
  const { data } = loaded;
  return (
    <PrintDocumentScreen
      title={data ? `Credit note ${data.number}` : 'Credit note'}
      loaded={loaded}
      wayBack={{ href: linkTo('myOrders'), label: 'To your orders' }}
    >
      {(note) => (
        <>
          <Facts
            facts={[
              ['Credit note', note.number],
              ['Refunded', note.refundedOn],
              ['Order', displayOrderNumber(note.orderNumber)],
              ['Paid', `${note.paidOn}, ${dollars(note.paidCents)}`],
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
                amount: dollars(-note.amountCents),
              },
            ]}
            sum={[['Refunded', dollars(-note.amountCents)]]}
          />
          {note.note !== '' && <p className={css['note']}>{note.note}</p>}
          <Note {...note} />
        </>
      )}
    </PrintDocumentScreen>
  );
}
