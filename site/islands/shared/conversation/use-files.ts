/** Files that somebody chooses for a message: each is sent up at once, and again when that failed. */
import { useRef, useState } from 'react';
import { displayBytes, maxFileBytes, maxMessageFiles, type OrderFile } from '#contract/conversations.ts';
import { callErrorOf } from '../call-error.ts';
import { makeCall } from '../call.ts';
import { sendBytes } from '../send-bytes.ts';

export interface PickedFile {
  /** The same for every try, so that the server keeps one file. */
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  /** How much of it has gone, from 0 to 1. */
  readonly share: number;
  /** As the server has it, once it is there. */
  readonly sent?: OrderFile;
  /** Why it is not there. */
  readonly problem?: string;
  /** Absent for one that was sent up before this page was opened. */
  readonly file?: File;
  /** Whether another try makes sense. */
  readonly mayRetry?: boolean;
}

export interface PickedFiles {
  readonly items: readonly PickedFile[];
  readonly add: (files: Iterable<File>) => void;
  readonly retry: (item: PickedFile) => void;
  /** Takes one away; an upload that is under way is stopped. */
  readonly remove: (item: PickedFile) => void;
  readonly clear: () => void;
  /** Ids of those that are there. */
  readonly ids: readonly string[];
  /** What stands in the way of sending; undefined when nothing does. */
  readonly obstacle: string | undefined;
}

const itemOf = (sent: OrderFile): PickedFile => ({
  key: sent._id,
  name: sent.name,
  bytes: sent.bytes,
  share: 1,
  sent,
});

const picked = (file: File): PickedFile => ({
  key: crypto.randomUUID(),
  name: file.name,
  bytes: file.size,
  share: 0,
  file,
  ...(file.size > maxFileBytes && {
    problem: `This file has ${displayBytes(file.size)}, and at most ${maxFileBytes / 1024 / 1024} MiB can be sent. Send a link to it instead.`,
  }),
  ...(file.size === 0 && { problem: 'This file is empty.' }),
});

/** @param unsent files that wait for a message since earlier */
export function useFiles(orderId: string, unsent: readonly OrderFile[] = []): PickedFiles {
  const [items, setItems] = useState<readonly PickedFile[]>(() => unsent.map(itemOf));

  /** Stops uploads that are under way, by their keys. */
  const uploads = useRef(new Map<string, AbortController>());

  const change = (key: string, changes: Partial<PickedFile>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changes } : item)));

  async function send(item: PickedFile) {
    if (!item.file) return;
    change(item.key, { share: 0, problem: '' });
    const upload = new AbortController();
    uploads.current.set(item.key, upload);
    try {
      const sent = await sendBytes('POST /order/:id/files', {
        id: orderId,
        query: { name: item.name },
        body: item.file,
        headers: { 'Content-Type': 'application/octet-stream', 'Idempotency-Key': item.key },
        onProgress: (share) => change(item.key, { share }),
        signal: upload.signal,
      });
      change(item.key, { sent, share: 1 });
    } catch (thrown) {
      change(item.key, { problem: callErrorOf(thrown).message, mayRetry: true });
    }
  }

  function add(files: Iterable<File>) {
    const added = Array.from(files, picked);
    setItems((all) => [...all, ...added]);
    for (const item of added) if (item.problem === undefined) void send(item);
  }

  function remove(item: PickedFile) {
    uploads.current.get(item.key)?.abort();
    setItems((all) => all.filter(({ key }) => key !== item.key));
    // One that cannot be taken back now is swept after a day.
    if (item.sent) makeCall('DELETE /order-file/:id', { id: item.sent._id }).catch(() => undefined);
  }

  const isWrong = items.some(({ problem }) => problem);
  const isUnderWay = items.some(({ sent, problem }) => !sent && !problem);
  return {
    items,
    add,
    remove,
    retry: (item) => void send(item),
    clear: () => setItems([]),
    ids: items.flatMap(({ sent }) => (sent ? [sent._id] : [])),
    obstacle: isWrong
      ? 'Not every file was uploaded: try again, or remove those that were not.'
      : isUnderWay
        ? 'Please wait until the files are uploaded.'
        : items.length > maxMessageFiles
          ? `At most ${maxMessageFiles} files go with one message.`
          : undefined,
  };
}
