/** The selected rows of a list. They stay selected when the user opens another page. */
import { useState } from 'react';

export interface Selection<T> {
  /** The selected rows by id, in the state in which they were selected. */
  readonly chosen: ReadonlyMap<string, T>;
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
