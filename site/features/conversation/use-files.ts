/**
 * Files for a message, a step, or the delivery. Each is uploaded immediately, and a failed upload can be tried again.
 */
import { useRef, useState } from 'react';
import { displayBytes, maxFileBytes, maxMessageFiles } from '#contract/conversations.ts';
import type { OrderFile } from '#contract/conversations.calls.ts';
import { callErrorOf } from '#site/app/call-error.ts';
import { filesFor, forgetFiles, rememberFile } from './picked-for.ts';
import { startUpload, deleteUnsentFile, type Upload } from './upload.ts';

export interface PickedFile {
  /** The same for every attempt, so that the server keeps one file. */
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  /** The uploaded share, from 0 to 1. */
  readonly share: number;
  /** The stored file once it is uploaded. */
  readonly sent?: OrderFile;
  readonly problem?: string;
  /** Undefined if the file was uploaded before this page was opened. */
  readonly file?: File;
  readonly mayRetry?: boolean;
}

export type PickedFiles = ReturnType<typeof useFiles>;

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
    problem: `This file is ${displayBytes(file.size)}, and the limit is ${maxFileBytes / 1024 / 1024} MB. Send a link to it instead.`,
  }),
  ...(file.size === 0 && { problem: 'This file is empty.' }),
});

/** The files that were not picked before. A failed one can be picked again. */
const notIn = (items: readonly PickedFile[], files: Iterable<File>): File[] =>
  Array.from(files).filter(
    ({ name, size, lastModified }) =>
      !items.some(
        ({ file, problem }) =>
          !problem && file?.name === name && file.size === size && file.lastModified === lastModified,
      ),
  );

/**
 * @param form the form that the files are picked for; no other form offers them again
 * @param unsent the unsent files for this form; by default those that this tab remembers
 */
export function useFiles(orderId: string, form: string, unsent?: readonly OrderFile[]) {
  const [items, setItems] = useState<readonly PickedFile[]>(() =>
    (unsent ?? filesFor(orderId, form)).map(itemOf),
  );

  /** The uploads by the keys of their files. */
  const uploads = useRef(new Map<string, Upload>());

  const change = (key: string, changes: Partial<PickedFile>) =>
    setItems((all) => all.map((item) => (item.key === key ? { ...item, ...changes } : item)));

  async function send(item: PickedFile) {
    if (!item.file) return;
    change(item.key, { share: 0, problem: '' });
    const upload = startUpload(orderId, {
      key: item.key,
      name: item.name,
      file: item.file,
      onProgress: (share) => change(item.key, { share }),
    });
    uploads.current.set(item.key, upload);
    try {
      const sent = await upload.done;
      if (!sent) return;
      rememberFile(orderId, form, sent);
      change(item.key, { sent, share: 1 });
    } catch (thrown) {
      change(item.key, { problem: callErrorOf(thrown).message, mayRetry: true });
    }
  }

  function add(files: Iterable<File>) {
    const added = notIn(items, files).map(picked);
    setItems((all) => [...all, ...added]);
    for (const item of added) if (item.problem === undefined) void send(item);
  }

  /** Removes a file and cancels its upload. */
  function remove(item: PickedFile) {
    uploads.current.get(item.key)?.giveUp();
    setItems((all) => all.filter(({ key }) => key !== item.key));
    if (!item.sent) return;
    forgetFiles([item.sent._id]);
    deleteUnsentFile(item.sent._id);
  }

  const isWrong = items.some(({ problem }) => problem);
  const isUnderWay = items.some(({ sent, problem }) => !sent && !problem);
  return {
    items,
    add,
    remove,
    retry: (item: PickedFile) => void send(item),
    clear(ids: readonly string[]) {
      forgetFiles(ids);
      setItems((all) => all.filter(({ sent }) => !sent || !ids.includes(sent._id)));
    },
    ids: items.flatMap(({ sent }) => (sent ? [sent._id] : [])),
    /** Why the form cannot be sent yet; undefined if it can. */
    disabledReason: isWrong
      ? 'Some files were not uploaded. Try again, or remove them.'
      : isUnderWay
        ? 'Please wait until the files are uploaded.'
        : items.length > maxMessageFiles
          ? `A message can have at most ${maxMessageFiles} files.`
          : undefined,
  };
}
