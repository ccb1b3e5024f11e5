import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { newId } from '#contract/ids.ts';
import { autosave, continueDraft, deleteDraft, flushAutosaves } from './draft-autosave.ts';
import { useServerDrafts } from './server-drafts.ts';

interface Sent {
  readonly method: string;
  readonly text: string | undefined;
  readonly draftId: string | undefined;
  readonly keepalive: boolean | undefined;
  readonly answer: (status: number) => Promise<unknown>;
}

interface SentInit extends RequestInit {
  readonly method: string;
  readonly body: string;
}

let sent: Sent[];
beforeEach(() => {
  sent = [];
  vi.useFakeTimers();
  vi.stubGlobal('fetch', (_address: string, { method, body, keepalive }: SentInit) => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const { values, draftId } = JSON.parse(body) as { values?: { bannerText?: string }; draftId?: string };
    sent.push({
      method,
      text: values?.bannerText,
      draftId,
      keepalive,
      async answer(status) {
        resolve(new Response(null, { status }));
        await vi.advanceTimersByTimeAsync(0);
      },
    });
    return promise;
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
});

const texts = () => sent.map(({ method, text }) => `${method} ${text ?? ''}`.trim());
const lastSent = () => {
  const last = sent.at(-1);
  if (!last) throw new Error('Nothing was sent.');
  return last;
};
const form = () => ({ section: 'banner', recordId: newId(), draftId: newId() }) as const;
const settle = () => vi.advanceTimersByTimeAsync(1_000);

test('Text typed during a slow call is sent after it, so that an older draft never wins', async () => {
  const key = form();
  autosave({ ...key, version: 1, values: { bannerText: 'One' } });
  autosave({ ...key, version: 1, values: { bannerText: 'Two' } });
  await settle();
  expect(texts()).toEqual(['PUT Two']);
  autosave({ ...key, version: 1, values: { bannerText: 'Three' } });
  await settle();
  await settle();
  expect(texts()).toEqual(['PUT Two']);
  await lastSent().answer(204);
  await settle();
  expect(texts()).toEqual(['PUT Two', 'PUT Three']);
  // A save clears the form. The draft that is being sent is deleted afterward.
  autosave({ ...key, version: 2, values: {} });
  await lastSent().answer(204);
  await settle();
  expect(texts().slice(2)).toEqual(['DELETE']);
  await lastSent().answer(204);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(3);
});

test('A continued draft is stored under its own id before the draft that it continues is deleted, even if the first call fails', async () => {
  const found = { ...form(), version: 1, values: { bannerText: 'From the other device' } };
  const draftId = newId();
  continueDraft(found, draftId);
  await vi.advanceTimersByTimeAsync(0);
  expect(texts()).toEqual(['PUT From the other device']);
  await lastSent().answer(503);
  autosave({ ...found, draftId, values: { bannerText: 'And more' } });
  await settle();
  expect(texts().slice(1)).toEqual(['PUT And more']);
  await lastSent().answer(204);
  expect(texts().slice(2)).toEqual(['DELETE']);
  await lastSent().answer(204);
  expect(sent.map((one) => one.draftId)).toEqual([draftId, draftId, found.draftId]);
});

test('A draft that could not be stored is sent again without another keystroke, and a refused one is not', async () => {
  const key = form();
  autosave({ ...key, values: { bannerText: 'Kept in the end' } });
  await settle();
  for (const status of [503, 401, 429, 500]) {
    await lastSent().answer(status);
    const before = sent.length;
    await vi.advanceTimersByTimeAsync(10_000);
    expect(sent).toHaveLength(before + 1);
  }
  await lastSent().answer(422);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(5);
  autosave({ ...key, values: {} });
  await settle();
  // It is unknown which of them arrived.
  expect(texts().at(-1)).toBe('DELETE');
  await lastSent().answer(204);
});

test('Unsent drafts are sent when the editor leaves the page', async () => {
  const [waiting, underWay, saved] = [form(), form(), form()];
  autosave({ ...underWay, values: { bannerText: 'Under way' } });
  await settle();
  const [call] = sent;
  autosave({ ...saved, values: { bannerText: 'Kept' } });
  await settle();
  await lastSent().answer(204);
  autosave({ ...waiting, values: { bannerText: 'Waiting' } });
  flushAutosaves();
  expect(sent.slice(2).map(({ text, keepalive }) => [text, keepalive])).toEqual([
    ['Under way', true],
    ['Waiting', true],
  ]);
  for (const { answer } of sent.slice(2)) await answer(204);
  await call?.answer(503);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent).toHaveLength(4);
});

const Marks = () =>
  useServerDrafts()
    .map(({ draftId }) => draftId)
    .join(' ');

test('A stored draft stays marked when its form is opened again', async () => {
  const typed = { ...form(), values: { bannerText: 'Marked' } };
  const isMarked = () => renderToStaticMarkup(createElement(Marks)).includes(typed.draftId);
  autosave(typed);
  await settle();
  expect(isMarked()).toBe(false);
  await lastSent().answer(204);
  expect(isMarked()).toBe(true);
  // A form first renders empty, and then continues with the draft.
  autosave({ ...typed, values: {} });
  expect(isMarked()).toBe(false);
  autosave(typed);
  expect(isMarked()).toBe(true);
  await settle();
  expect(sent).toHaveLength(1);
});

test('An untouched form sends nothing, and a discarded draft is deleted immediately', async () => {
  autosave({ ...form(), values: {} });
  await settle();
  expect(sent).toEqual([]);
  deleteDraft(form());
  expect(texts()).toEqual(['DELETE']);
  await lastSent().answer(204);
});
