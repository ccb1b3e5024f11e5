/** Uploads a file of an order. The upload can be cancelled. */
import { api } from '#site/app/call.ts';
import { sendBytes } from '#site/app/send-bytes.ts';
import { isGivenUp, markCancelled } from './picked-for.ts';

export type Upload = ReturnType<typeof startUpload>;

export function deleteUnsentFile(id: string): void {
  // If that fails, the server deletes the file after a day.
  api('DELETE /order-file/:id', { id }).catch(() => undefined);
}

/** Deletes the unsent files whose upload was cancelled in this tab. @returns the others */
export function withoutCancelled<File extends { readonly _id: string; readonly key: string }>(
  files: readonly File[],
): readonly File[] {
  for (const { _id, key } of files) if (isGivenUp(key)) deleteUnsentFile(_id);
  return files.filter(({ key }) => !isGivenUp(key));
}

interface Uploading {
  /** The same for every attempt, so that the server keeps one file. */
  readonly key: string;
  readonly name: string;
  readonly file: File;
  /** Called with the uploaded share, from 0 to 1. */
  readonly onProgress: (share: number) => void;
}

export function startUpload(orderId: string, { key, name, file, onProgress }: Uploading) {
  const stop = new AbortController();
  let hasGone = false;
  let hasGivenUp = false;

  async function send() {
    const sent = await sendBytes('POST /order/:id/files', {
      id: orderId,
      query: { name },
      body: file,
      headers: { 'Content-Type': 'application/octet-stream', 'Idempotency-Key': key },
      onProgress(share) {
        hasGone = share === 1;
        onProgress(share);
      },
      signal: stop.signal,
    });
    if (!hasGivenUp) return sent;
    deleteUnsentFile(sent._id);
    return undefined;
  }

  return {
    /** The stored file; undefined if the upload was cancelled. Rejects with a CallError. */
    done: send(),
    /** Cancels the upload. If the server has the whole file, it is deleted once it appears, even after a reload. */
    giveUp() {
      hasGivenUp = true;
      markCancelled(key);
      if (!hasGone) stop.abort();
    },
  };
}
