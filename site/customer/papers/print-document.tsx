/** A document for printing and 'Save as PDF': seller, customer, lines, and payment. */
import type { ReactNode } from 'react';
import { Printer } from 'lucide-react';
import { linkTo } from '#contract/screens.ts';
import type { CreditNote, Receipt } from '#contract/receipts.calls.ts';
import { Button, LinkButton } from '#site/ui/button.tsx';
import { LoadedScreen } from '#site/app/loaded-screen.tsx';
import type { QueryState } from '#site/app/query.ts';
import { useRefetchOnFocus } from '#site/app/use-refetch-on-focus.ts';
import { classNames } from '#site/ui/class-names.ts';
import { cluster, columns, stack, surface } from '#site/ui/layout.ts';
import css from './print-document.module.css';

interface PrintDocumentScreenProps<T> {
  readonly title: string;
  readonly query: QueryState<T>;
  /** The link to show if there is no document. */
  readonly wayBack: { readonly href: string; readonly label: string };
  readonly children: (paper: T) => ReactNode;
}

/** The screen of a document: the document itself, or why there is none. */
export function PrintDocumentScreen<T extends Receipt | CreditNote>({
  title,
  query,
  wayBack,
  children,
}: PrintDocumentScreenProps<T>) {
  const { data, error } = query;
  useRefetchOnFocus(() => void query.refetch());
  const notYet = error?.status === 409 ? error.message : undefined;
  return (
    <div className={css['screen']}>
      <LoadedScreen
        title={title}
        actions={data && <Actions orderId={data.orderId} />}
        missing={{
          title: notYet === undefined ? 'We could not find this document' : `No ${title.toLowerCase()} yet`,
          why: notYet ?? 'The address may be misspelled, or the order belongs to another account.',
          wayOn: wayBack,
        }}
        missingStatuses={[404, 409]}
        query={query}
      >
        {(paper) => <article className={stack(6, surface(css['paper']))}>{children(paper)}</article>}
      </LoadedScreen>
    </div>
  );
}

const Actions = ({ orderId }: { readonly orderId: string }) => (
  <>
    <Button onClick={() => window.print()}>
      <Printer size="1.25rem" />
      Print or save as PDF
    </Button>
    <LinkButton variant="secondary" href={linkTo('myOrder', orderId)}>
      Back to the order
    </LinkButton>
  </>
);

/** A label and a value; nothing if the value is empty. */
type Fact = readonly [label: string, value: string];

export function Facts({ facts }: { readonly facts: readonly Fact[] }) {
  return (
    <dl className={cluster([3, 6])}>
      {facts
        .filter(([, value]) => value !== '')
        .map(([label, value]) => (
          <div key={label} className={css['fact']}>
            <dt className="note">{label}</dt>
            <dd className="strong">{value}</dd>
          </div>
        ))}
    </dl>
  );
}

export function Parties({ seller, buyer }: Pick<Receipt, 'seller' | 'buyer'>) {
  return (
    <div className={columns(6, css['parties'])}>
      {seller && (
        <Party
          title="From"
          name={seller.legalName}
          lines={[seller.postalAddress, seller.taxNumber, seller.registration, seller.billingEmail]}
        />
      )}
      <Party
        title="To"
        name={buyer.customerCompany || buyer.customerName}
        lines={[
          buyer.customerCompany && buyer.customerName,
          buyer.customerAddress,
          buyer.customerCountry,
          buyer.customerTaxNumber,
          buyer.customerEmail,
        ]}
      />
    </div>
  );
}

interface PartyProps {
  readonly title: string;
  readonly name: string;
  readonly lines: readonly string[];
}

function Party({ title, name, lines }: PartyProps) {
  return (
    <section className={stack(1, css['party'])}>
      <h2 className={classNames('note', css['label'])}>{title}</h2>
      {name !== '' && <p className={css['name']}>{name}</p>}
      {lines
        .filter((line) => line !== '')
        .map((line) => (
          <p key={line} className="multiline">
            {line}
          </p>
        ))}
    </section>
  );
}

interface AmountRow {
  readonly key: string;
  readonly title: ReactNode;
  readonly amount: string;
}

interface AmountsProps {
  readonly caption: string;
  readonly rows: readonly AmountRow[];
  readonly sum: readonly Fact[];
}

export function Amounts({ caption, rows, sum }: AmountsProps) {
  return (
    <table className={css['amounts']}>
      <caption className={classNames('note', css['label'])}>{caption}</caption>
      <thead>
        <tr>
          <th scope="col">Description</th>
          <th scope="col" className={css['amount']}>
            Amount (USD)
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, title, amount }) => (
          <tr key={key}>
            <th scope="row">{title}</th>
            <td className={css['amount']}>{amount}</td>
          </tr>
        ))}
        {sum.map(([label, amount]) => (
          <tr key={label} className={css['sum']}>
            <th scope="row">{label}</th>
            <td className={css['amount']}>{amount}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A note below the amounts; nothing if it is empty. */
export const Note = ({ text = '' }: { readonly text: string | undefined }) =>
  text !== '' && <p className={classNames('multiline', css['note'])}>{text}</p>;
