/** Uploads files to the library one after another. A rejected file does not stop the others. */
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { callErrorOf } from '#site/app/call-error.ts';
import { useLossGuard } from '../editor/use-loss-guard.ts';
import type { Media } from './upload.ts';

export type Upload = ReturnType<typeof useUpload>;

export function useUpload(onUploaded: (media: Media) => void) {
  /** The uploaded share, from 0 to 1. */
  const [share, setShare] = useState(0);
  const [waiting, setWaiting] = useState(0);
  const [failures, setFailures] = useState<readonly string[]>([]);
  const queue = useRef(Promise.resolve());
  const isBusy = waiting > 0;
  useLossGuard(
    isBusy ? 'A picture is still uploading. If you leave, it is saved only to the library.' : undefined,
  );

  async function send(files: readonly File[]) {
    setFailures([]);
    for (const [index, file] of files.entries())
      try {
        // Loaded for the first file.
        const { uploadMedia } = await import('./upload.ts');
        onUploaded(await uploadMedia(file, (part) => setShare((index + part) / files.length)));
      } catch (thrown) {
        const { message } = callErrorOf(thrown);
        setFailures((all) => [...all, files.length === 1 ? message : `${file.name}: ${message}`]);
      }
    setWaiting((count) => count - 1);
  }

  /** @returns whether there was a file among them */
  function upload(files: readonly File[]) {
    if (files.length === 0) return false;
    setShare(0);
    setWaiting((count) => count + 1);
    queue.current = queue.current.then(() => send(files));
    return true;
  }
  return { upload, share, isBusy, failures };
}

/** Whether a paste means the text. Word and Excel also copy a picture, and some systems also copy a file's name. */
function isTextMeant({ target, clipboardData }: ClipboardEvent): boolean {
  const text = clipboardData?.getData('text/plain') ?? '';
  const isNamed = [...(clipboardData?.files ?? [])].some(({ name }) => text.includes(name));
  return text !== '' && !isNamed && (target as Element).matches('input, textarea');
}

/**
 * Accepts files that are dropped on an area or pasted into it.
 * @param area the whole page if undefined
 * @param take returns whether there was a file
 */
export function useDropAndPaste(
  take: (files: readonly File[]) => boolean,
  area?: RefObject<HTMLElement | null>,
): void {
  const takeFrom = useEffectEvent((event: Event, data: DataTransfer | null) => {
    if (take([...(data?.files ?? [])])) event.preventDefault();
  });
  useEffect(() => {
    const target = area ? area.current : document;
    const controller = new AbortController();
    const { signal } = controller;
    const listen = (name: string, listener: (event: Event) => void) =>
      target?.addEventListener(name, listener, { signal });
    listen('dragover', (event) => event.preventDefault());
    listen('drop', (event) => takeFrom(event, (event as DragEvent).dataTransfer));
    listen('paste', (event) => {
      const paste = event as ClipboardEvent;
      if (!isTextMeant(paste)) takeFrom(paste, paste.clipboardData);
    });
    return () => controller.abort();
  }, [area]);
}
