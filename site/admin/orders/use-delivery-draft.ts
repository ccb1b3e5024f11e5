/** What a customer is given with the delivery or with a step that is done: a note and files, kept until the server has them. */
import { useState } from 'react';
import { callErrorOf } from '#site/app/call-error.ts';
import { CallError } from '#site/app/call.ts';
import { useFiles, type PickedFiles } from '#site/features/conversation/use-files.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';

/** As the calls take it. */
export interface Given {
  readonly note: string;
  /** Ids of files that are uploaded. */
  readonly files: string[];
}

export interface DeliveryDraft {
  readonly note: string;
  readonly setNote: (note: string) => void;
  readonly files: PickedFiles;
  /** Whether there is a note or a file. */
  readonly isBegun: boolean;
  /** Why it cannot be sent any more; undefined when it can, and while it may have arrived. */
  readonly obstacle: string | undefined;
  /** Sends it, and forgets it once the server has it. @throws CallError also while a file is on its way */
  readonly send: (give: (given: Given) => Promise<unknown>) => Promise<void>;
  readonly discard: () => void;
}

/**
 * What was sent and not answered may have arrived: the order that then shows it is no obstacle, and sending the same once
 * more, which the server takes for one, tells.
 * @param form which of the order's forms it is; its files are remembered by it
 * @param obstacle why the order, as it is now, takes none
 */
export function useDeliveryDraft(orderId: string, form: string, obstacle: string | undefined): DeliveryDraft {
  const [note, setNote] = useState('');
  const files = useFiles(orderId, form);
  const [mayHaveArrived, setMayHaveArrived] = useState(false);
  useUnsavedGuard(note.trim() !== '');
  const isBegun = note.trim() !== '' || files.items.length > 0;

  async function send(give: (given: Given) => Promise<unknown>) {
    if (files.obstacle !== undefined)
      throw new CallError({ title: 'Not sent yet', status: 0, detail: files.obstacle });
    const given = { note, files: [...files.ids] };
    setMayHaveArrived(isBegun);
    try {
      await give(given);
    } catch (thrown) {
      const { status, isUnanswered } = callErrorOf(thrown);
      // Another refusal, such as of an ended session, says nothing about an earlier try.
      setMayHaveArrived(isBegun && (isUnanswered || (mayHaveArrived && status !== 409)));
      throw thrown;
    }
    setNote('');
    files.clear(given.files);
    setMayHaveArrived(false);
  }

  function discard() {
    setNote('');
    for (const file of files.items) files.remove(file);
  }

  return { note, setNote, files, isBegun, obstacle: mayHaveArrived ? undefined : obstacle, send, discard };
}
