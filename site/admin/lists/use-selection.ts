/** Rows chosen in a list, to act on several at once; what was chosen stays while the pages turn. */
import { useState } from 'react';

export interface Selection<T> {
  /** The chosen rows by their ids, as they were when they were chosen. */
  readonly chosen: ReadonlyMap<string, T>;
  /** Chooses rows, or lets go of them. */
  readonly choose: (rows: readonly T[], isChosen: boolean) => void;
  readonly clear: () => void;
}

export function useSelection<T extends { readonly _id: string }>(): Selection<T> {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  return {
    chosen,
    choose: (rows, isChosen) =>
      setChosen((current) => {
        const next = new Map(current);
        for (const row of rows)
          if (isChosen) next.set(row._id, row);
          else next.delete(row._id);
        return next;
      }),
    clear: () => setChosen(new Map()),
  };
}
