/** What is done with several chosen rows at once: asked about first, then done to each, then told of. */
import { useState } from 'react';
import { counted } from '#contract/counted.ts';
import { confirm } from '#site/ui/confirm.tsx';
import { useToast } from '#site/ui/toast.tsx';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { refetchScreen } from '#site/app/query.ts';
import type { PagedList } from '#site/app/use-page.ts';
import { byReason, changeEach, type Change } from './change-each.ts';
import type { Selection } from './use-selection.ts';

/** Something that can be done with each of several rows. */
export interface BulkAction<T> extends Change<T> {
  /** On its button: 'Mark delivered'. */
  readonly label: string;
  /** What has happened to the rows then: 'marked delivered'. */
  readonly done: string;
  /** Asked first, where there is something to know. @param count the rows, counted: '3 orders' */
  readonly question?: (count: string) => { readonly title: string; readonly text: string };
  /** What goes does not come back. */
  readonly isDanger?: true;
}

export interface BulkActions<T> {
  /** What one row is: 'order'. */
  readonly noun: string;
  readonly actions: readonly BulkAction<T>[];
  /** What people know a row by: '#1042'. */
  readonly nameOf: (row: T) => string;
}

/** What could not be done, and what could. */
export interface NotDoneText {
  /** Some were done. */
  readonly isPart: boolean;
  readonly title: string;
  readonly reasons: ReturnType<typeof byReason>;
}

export function useBulkActions<T extends { readonly _id: string }>(
  list: PagedList<T>,
  { chosen, choose, clear }: Selection<T>,
  { noun, nameOf, onEnd }: BulkActions<T> & { readonly onEnd: () => void },
) {
  const [progress, setProgress] = useState<string>();
  const [notDone, setNotDone] = useState<NotDoneText>();
  const showToast = useToast();
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

  /** Does it, after its question where it has one. */
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
