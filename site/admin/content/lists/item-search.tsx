/** The search of a long list. */
import css from './item-list.module.css';

export interface ItemSearchProps {
  /** The items of the whole list. */
  readonly count: number;
  readonly wanted: string;
  /** The matching items; undefined without a search. */
  readonly found: number | undefined;
  readonly onSearch: (wanted: string) => void;
}

export function ItemSearch({ count, wanted, found, onSearch }: ItemSearchProps) {
  return (
    <div className={css['find']}>
      <input
        type="search"
        aria-label={`Find in ${count} items`}
        placeholder={`Find in ${count} items`}
        value={wanted}
        onChange={({ target }) => onSearch(target.value)}
      />
      {found !== undefined && (
        <span role="status">
          {found} of {count}
        </span>
      )}
    </div>
  );
}
