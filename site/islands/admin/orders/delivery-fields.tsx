/** What a customer is given with the delivery: a note and files. */
import { useState } from 'react';
import { maxMessageLength } from '#contract/conversations.ts';
import type { Order } from '#contract/orders.ts';
import { TextAreaField } from '#components/field.tsx';
import { CallError, makeCall } from '#site/islands/shared/call.ts';
import { FilePicker } from '#site/islands/shared/conversation/files.tsx';
import { useFiles, type PickedFiles } from '#site/islands/shared/conversation/use-files.ts';
import { useUnsavedGuard } from '#site/islands/shared/use-unsaved-guard.ts';

export interface Delivery {
  readonly note: string;
  readonly setNote: (note: string) => void;
  readonly files: PickedFiles;
  /** Belongs on the field of the note: two forms of a screen may deliver. */
  readonly id: string;
  /** Marks the order delivered, with what was given. @throws CallError also while a file is on its way */
  readonly deliver: () => Promise<void>;
}

/** @param id which of the screen's forms delivers; its files are remembered by it */
export function useDelivery({ _id }: Pick<Order, '_id'>, id: string): Delivery {
  const [note, setNote] = useState('');
  const files = useFiles(_id, id);
  useUnsavedGuard(note.trim() !== '');
  async function deliver() {
    if (files.obstacle !== undefined)
      throw new CallError({ title: 'Not delivered yet', status: 0, detail: files.obstacle });
    const body = { orderStatus: 'Delivered' as const, note, files: [...files.ids] };
    await makeCall('PUT /order-status/:id', { id: _id, body });
    setNote('');
    files.clear(body.files);
  }
  return { id, note, setNote, files, deliver };
}

export interface DeliveryFieldsProps {
  readonly delivery: Delivery;
  /** While it is sent no more can be typed: the fields go with it. */
  readonly isBusy: boolean;
}

export const DeliveryFields = ({ delivery: { id, note, setNote, files }, isBusy }: DeliveryFieldsProps) => (
  <>
    <TextAreaField
      id={id}
      name="note"
      label="Note to the customer"
      required={false}
      rows={4}
      maxLength={maxMessageLength}
      value={note}
      readOnly={isBusy}
      help="It appears in the email, on the order's page and on the receipt."
      onChange={({ target }) => setNote(target.value)}
    />
    <FilePicker files={files} label="Add files to the delivery" />
  </>
);
