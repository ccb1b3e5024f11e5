/** The difference between two texts: removed words are struck through, new words highlighted, and both announced. */
import { checkAddress } from './address-check.ts';
import { pictureName } from './section-texts.ts';
import { wordDifference } from './word-difference.ts';
import { cluster, stack } from '#site/ui/layout.ts';
import css from './difference.module.css';

interface DifferenceProps {
  readonly before: string;
  readonly after: string;
}

export function Difference({ before, after }: DifferenceProps) {
  return (
    <p className={css['difference']}>
      {wordDifference(before, after).map(({ kind, text }, index) =>
        kind === 'same' ? (
          <span key={index}>{text}</span>
        ) : kind === 'removed' ? (
          <del key={index}>
            <wbr />
            <span className="visually-hidden">removed: </span>
            {text}
          </del>
        ) : (
          <ins key={index}>
            <wbr />
            <span className="visually-hidden">added: </span>
            {text}
          </ins>
        ),
      )}
    </p>
  );
}

/** A picture with its file name, because its URL is not readable. */
export const Picture = ({ address }: { readonly address: string }) => (
  <>
    {checkAddress(address, 'image') === 'fine' && (
      <img className={css['picture']} src={address} alt="" loading="lazy" />
    )}
    {pictureName(address)}
  </>
);

function PictureDifference({ before, after }: DifferenceProps) {
  return (
    <p className={cluster([2, 4], css['pictures'])}>
      {before !== '' && (
        <del>
          <span className="visually-hidden">removed: </span>
          <Picture address={before} />
        </del>
      )}
      {after !== '' && (
        <ins>
          <span className="visually-hidden">added: </span>
          <Picture address={after} />
        </ins>
      )}
    </p>
  );
}

export interface FieldChange extends DifferenceProps {
  readonly field: string;
  readonly label: string;
  /** Whether the values are picture URLs. */
  readonly isPicture: boolean;
}

/** The changed fields of a record, each with its difference. */
export function FieldDifferences({ changes }: { readonly changes: readonly FieldChange[] }) {
  return (
    <dl className={stack(3)}>
      {changes.map(({ field, label, isPicture, before, after }) => (
        <div key={field}>
          <dt className="note">{label}</dt>
          <dd>
            {isPicture ? (
              <PictureDifference before={before} after={after} />
            ) : (
              <Difference before={before} after={after} />
            )}
          </dd>
        </div>
      ))}
    </dl>
  );
}
