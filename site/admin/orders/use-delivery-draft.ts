/** The note and files of a delivery or a completed step. They are kept until the server has confirmed them. */
import { useState } from 'react';
import { callErrorOf } from '#site/app/call-error.ts';
import { CallError } from '#site/app/call.ts';
import { useFiles } from '#site/features/conversation/use-files.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';

/** The note and files in the format of the API calls. */
interface Given {
  readonly note: string;
  readonly files: string[];
}

/**
 * A request without a response may have arrived. In that case, a delivered order does not disable the form: sending the
 * same request again is safe, and the response shows what happened.
 * @param form the name of the form, under which its files are stored
 * @param disabledReason why the order cannot take a delivery in its current state
 */
export function useDeliveryDraft(orderId: string, form: string, disabledReason: string | undefined) {
  const [note, setNote] = useState('');
  const files = useFiles(orderId, form);
  const [mayHaveArrived, setMayHaveArrived] = useState(false);
  useUnsavedGuard(note.trim() !== '');
  /** Whether there is a note or a file. */
  const isBegun = note.trim() !== '' || files.items.length > 0;

  /**
   * Sends the note and files, and clears them once the server has confirmed.
   * @throws CallError also while a file is uploading
   */
  async function send(give: (given: Given) => Promise<unknown>) {
    if (files.disabledReason !== undefined)
      throw new CallError({ title: 'Not sent yet', status: 0, detail: files.disabledReason });
    const given = { note, files: [...files.ids] };
    setMayHaveArrived(isBegun);
    try {
      await give(given);
    } catch (thrown) {
      const { status, isUnanswered } = callErrorOf(thrown);
      // Any other error, such as a lost session, does not show whether an earlier attempt arrived.
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

  return {
    note,
    setNote,
    files,
    isBegun,
    /** Why it can no longer be sent; undefined if it can, or if it may have arrived. */
    disabledReason: mayHaveArrived ? undefined : disabledReason,
    send,
    discard,
  };
}
