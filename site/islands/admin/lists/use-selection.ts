/** Rows chosen in a list, to act on several at once; what was chosen stays while the pages turn. */
import { useState } from 'react';

export interface Selection {
  readonly ids: ReadonlySet<string>;
  /** Chooses rows, or lets go of them. */
  readonly choose: (ids: readonly string[], isChosen: boolean) => void;
  readonly clear: () => void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  return {
    ids,
    choose: (changed, isChosen) =>
      setIds((current) => {
        const others = [...current].filter((id) => !changed.includes(id));
        return new Set(isChosen ? [...others, ...changed] : others);
      }),
    clear: () => setIds(new Set()),
  };
}
