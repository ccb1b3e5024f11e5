import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startUpload, withoutCancelled } from './upload.ts';

const sent = { _id: 'file-1', name: 'plan.txt', type: 'text/plain', bytes: 4 };

/** The parts of XMLHttpRequest that an upload uses. The test acts as the server. */
class Request {
  static last: Request;
  upload: { onprogress?: (event: { loaded: number; total: number }) => void } = {};
  status = 0;
  response: unknown;
  isAborted = false;
  onload?: () => void;
  onabort?: () => void;
  open = () => undefined;
  setRequestHeader = () => undefined;
  send = () => {
    Request.last = this;
  };
  abort() {
    this.isAborted = true;
    this.onabort?.();
  }
  hasGone(loaded: number) {
    this.upload.onprogress?.({ loaded, total: 4 });
  }
  answer() {
    this.status = 201;
    this.response = sent;
    this.onload?.();
  }
}

let calls: string[];
beforeEach(() => {
  calls = [];
  const stored = new Map<string, string>();
  vi.stubGlobal('sessionStorage', {
    setItem: (key: string, value: string) => stored.set(key, value),
    getItem: (key: string) => stored.get(key) ?? null,
  });
  vi.stubGlobal('XMLHttpRequest', Request);
  vi.stubGlobal('fetch', (address: string, { method }: RequestInit) => {
    calls.push(`${method ?? 'GET'} ${address}`);
    return Promise.resolve(new Response(null, { status: 204 }));
  });
});
afterEach(() => void vi.unstubAllGlobals());

const start = () =>
  startUpload('order-1', {
    key: 'key',
    name: 'plan.txt',
    file: new File(['Plan'], 'plan.txt'),
    onProgress: () => undefined,
  });

test('A customer who cancels an upload stops it', async () => {
  const upload = start();
  Request.last.hasGone(2);
  upload.giveUp();
  expect(Request.last.isAborted).toBe(true);
  await expect(upload.done).rejects.toThrow('The upload was stopped.');
  expect(calls).toEqual([]);
});

test('A file is deleted when a customer cancels after the last byte was sent', async () => {
  const upload = start();
  Request.last.hasGone(4);
  upload.giveUp();
  expect(Request.last.isAborted).toBe(false);
  Request.last.answer();
  expect(await upload.done).toBeUndefined();
  expect(calls).toEqual(['DELETE /api/order-file/file-1']);
});

test('A cancelled file whose response was lost is deleted when the conversation shows it', async () => {
  const upload = start();
  Request.last.hasGone(4);
  upload.giveUp();
  const kept = { ...sent, _id: 'file-2', key: 'another' };
  expect(withoutCancelled([{ ...sent, key: 'key' }, kept])).toEqual([kept]);
  await vi.waitFor(() => expect(calls).toEqual(['DELETE /api/order-file/file-1']));
});

test('An upload that is not cancelled is kept', async () => {
  const upload = start();
  Request.last.hasGone(4);
  Request.last.answer();
  expect(await upload.done).toEqual(sent);
  expect(calls).toEqual([]);
});
