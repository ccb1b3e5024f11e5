/** The seller and the terms, next to the pay button. */
import { linkTo } from '#contract/screens.ts';
import { firmName } from '#site/ui/firm-name.ts';
import { api } from '#site/app/call.ts';
import { useAttempt } from './use-attempt.ts';
import { classNames } from '#site/ui/class-names.ts';
import { stack } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
import css from './pay.module.css';

export function SellerNote() {
  const { data: seller } = useAttempt('seller', (signal) => api('GET /seller', { signal }).then(dataOf));
  // Until it is loaded, or if the section has no record, the firm's name is the seller.
  const { legalName = '', postalAddress = '', phone = '' } = seller ?? {};
  return (
    <div className={stack(1, classNames(typography['note'], css['seller']))}>
      <p>
        You are buying from <strong>{legalName || firmName()}</strong>
        {postalAddress && `, ${postalAddress.replace(/\s*\n\s*/g, ', ')}`}.
        {phone && (
          <>
            {' '}
            Phone: <a href={`tel:${phone.replace(/[^+\d]/g, '')}`}>{phone}</a>.
          </>
        )}
      </p>
      {/* Links open in new tabs, so that a typed card is not lost. */}
      <p>
        Our{' '}
        <a href={linkTo('terms')} target="_blank" rel="noopener">
          terms
        </a>{' '}
        and our{' '}
        <a href={linkTo('refunds')} target="_blank" rel="noopener">
          refund policy
        </a>{' '}
        apply.
      </p>
    </div>
  );
}

const dataOf = <T,>({ data }: { readonly data: T }): T => data;
