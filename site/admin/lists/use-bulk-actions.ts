/** Selects rows, and runs an action on them: asks for confirmation, changes each row, and shows the result. */
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import { confirm } from '#site/ui/confirm.tsx';
import type { Row } from '#site/ui/table.tsx';
import { showToast } from '#site/app/toasts.tsx';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { refetchScreen } from '#site/app/query.ts';
import type { PagedList } from '#site/app/use-page.ts';
import { byReason, changeEach, type Change } from './change-each.ts';

export type Selection<T extends Row> = ReturnType<typeof useSelection<T>>;

/**
 * The selected rows of a list. They stay selected when the user opens another page. Another filter may hide them, so it
 * clears the selection.
 */
export function useSelection<T extends Row>(filters: object = {}) {
  const [chosen, setChosen] = useState<ReadonlyMap<string, T>>(new Map());
  const filter = JSON.stringify(filters);
  const [chosenIn, setChosenIn] = useState(filter);
  if (chosenIn !== filter) {
    setChosenIn(filter);
    setChosen(new Map());
  }
  return {
    /** By id, with the data at the time of selection. */
    chosen,
    choose: (rows: readonly T[], isChosen: boolean) =>
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

export interface BulkAction<T> extends Change<T> {
  /** The button label, such as 'Mark delivered'. */
  readonly label: string;
  /** The result, such as 'marked delivered'. */
  readonly done: string;
  /** The question before the action, if there is one. @param count the number with its noun, such as '3 orders' */
  readonly question?: (count: string) => { readonly title: string; readonly text: string };
  /** The action cannot be undone. */
  readonly isDanger?: true;
}

export interface BulkActions<T> {
  /** The noun for one row, such as 'order'. */
  readonly noun: string;
  readonly actions: readonly BulkAction<T>[];
  /** Returns the name of a row, such as '#1042'. */
  readonly nameOf: (row: T) => string;
}

export interface NotDoneText {
  /** Whether some rows were changed. */
  readonly isPart: boolean;
  readonly title: string;
  readonly reasons: ReturnType<typeof byReason>;
}

export function useBulkActions<T extends Row>(
  list: PagedList<T>,
  { chosen, choose, clear }: Selection<T>,
  { noun, nameOf, onEnd }: BulkActions<T> & { readonly onEnd: () => void },
) {
  const [progress, setProgress] = useState<string>();
  const [notDone, setNotDone] = useState<NotDoneText>();
  useUnsavedGuard(progress !== undefined);

  async function run(action: BulkAction<T>) {
    const shown = new Map(list.data?.rows.map((row) => [row._id, row]));
    const rows = [...chosen.values()].map((row) => shown.get(row._id) ?? row);
    const tell = (seenTo: number) => setProgress(`${seenTo} of ${counted(rows.length, noun)} …`);
    setNotDone(undefined);
    tell(0);
    const outcome = await changeEach(rows, action, tell);
    setProgress(undefined);
    onEnd();
    const doneText = `${counted(outcome.done.length, noun)} ${action.done}`;
    if (outcome.notDone.length === 0) {
      clear();
      showToast(doneText);
    } else {
      choose(outcome.done, false);
      const left = counted(outcome.notDone.length, noun);
      setNotDone({
        isPart: outcome.done.length > 0,
        title: outcome.done.length === 0 ? `No ${noun} ${action.done}` : `${doneText}, ${left} not`,
        reasons: byReason(outcome.notDone, nameOf),
      });
    }
    void refetchScreen();
  }

  async function begin(action: BulkAction<T>) {
    const question = action.question?.(counted(chosen.size, noun));
    const variant = action.isDanger ? 'danger' : 'primary';
    if (question && !(await confirm({ ...question, confirm: action.label, decline: 'Not now', variant })))
      return;
    await run(action);
  }

  return {
    progress,
    notDone,
    begin,
    dismiss: () => setNotDone(undefined),
  };
}
