/**
 * Saves unsaved form values as drafts on the server, shortly after the last keystroke, even if the form was
 * closed in the meantime. Each draft has at most one request at a time, so the last value wins. A failed
 * request is repeated. When the user leaves the page, the rest is sent at once.
 */
import { callErrorOf } from '#site/app/call-error.ts';
import { api } from '#site/app/call.ts';
import type { Values } from '../content-calls.ts';
import { noteForgotten, noteKept, type DraftKey } from './server-drafts.ts';

/** The delay after the last keystroke, in ms. */
const settlesMs = 1_000;
/** The delay before a failed request is repeated, in ms. */
const retriesMs = 10_000;
/** The bytes that a browser still sends for a page that was closed (Fetch, `keepalive`: 64 KiB). */
const mostOnLeaving = 60_000;

/** The values of a form, by the draft that stores them. */
export interface Typed extends DraftKey {
  /** The version of the record that is edited; undefined for a new record. */
  readonly version?: number | null | undefined;
  /** The changed fields. Without any, there is no draft. */
  readonly values: Values;
}

interface Keeping {
  wanted: Typed;
  /** The state on the server, in the format of `textOf`; undefined while it is unknown. */
  kept: string | undefined;
  call?: AbortController | undefined;
  timer?: ReturnType<typeof setTimeout>;
}

const keepings = new Map<string, Keeping>();

/** Empty if there is nothing to store. */
const textOf = ({ version, values }: Typed): string =>
  Object.keys(values).length === 0 ? '' : JSON.stringify([version ?? null, values]);

/** Whether a repeated request may succeed. A user who was signed out can log in again in another tab. */
const mayPass = (thrown: unknown): boolean => {
  const { status } = callErrorOf(thrown);
  return status === 0 || status === 401 || status === 429 || status >= 500;
};

function makeKeepingCall(
  { section, recordId, draftId, version, values }: Typed,
  signal: AbortSignal,
  isLast: boolean,
) {
  const form = { section, draftId, recordId };
  if (Object.keys(values).length === 0)
    return api('DELETE /drafts', { body: form, signal, keepalive: isLast });
  const body = { ...form, values, version: version ?? undefined };
  const keepalive = isLast && new Blob([JSON.stringify(body)]).size <= mostOnLeaving;
  return api('PUT /drafts', { body, signal, keepalive });
}

function sendLater(keeping: Keeping, afterMs: number): void {
  clearTimeout(keeping.timer);
  keeping.timer = setTimeout(() => void send(keeping), afterMs);
}

/** @param isLast the page closes, which would cancel a running request */
async function send(keeping: Keeping, isLast = false): Promise<void> {
  clearTimeout(keeping.timer);
  const { wanted } = keeping;
  const text = textOf(wanted);
  if (text === keeping.kept || (keeping.call && !isLast)) return;
  keeping.call?.abort();
  const call = new AbortController();
  keeping.call = call;
  keeping.kept = undefined;
  const failure = await makeKeepingCall(wanted, call.signal, isLast).then(
    () => undefined,
    (thrown: unknown) => ({ mayPass: mayPass(thrown) }),
  );
  if (keeping.call !== call) return;
  keeping.call = undefined;
  if (!failure) keeping.kept = text;
  const now = textOf(keeping.wanted);
  if (!failure && text !== '' && now !== '') noteKept(wanted);
  if (now !== text) sendLater(keeping, settlesMs);
  else if (failure?.mayPass) sendLater(keeping, retriesMs);
}

function keepingOf(typed: Typed, kept: string | undefined): Keeping {
  const keeping = keepings.get(typed.draftId) ?? { wanted: typed, kept };
  keepings.set(typed.draftId, keeping);
  return keeping;
}

/** Stores the values of a form from now on, or deletes its draft if nothing has changed. */
export function autosave(typed: Typed): void {
  const text = textOf(typed);
  if (text === '') noteForgotten(typed.draftId);
  const keeping = keepingOf(typed, '');
  keeping.wanted = typed;
  if (text === keeping.kept) {
    clearTimeout(keeping.timer);
    if (text !== '') noteKept(typed);
  } else sendLater(keeping, settlesMs);
}

/** Tells the autosave that a form continues with a draft of the server. */
export const resumeAutosave = (typed: Typed): void => void keepingOf(typed, textOf(typed));

/** Deletes a draft that its author discarded, or that equals the live record. */
export function forgetDraft(key: DraftKey): void {
  const nothing = { ...key, values: {} };
  noteForgotten(key.draftId);
  const keeping = keepingOf(nothing, undefined);
  keeping.wanted = nothing;
  void send(keeping);
}

/** Sends everything that is pending or running at once. */
export function keepBeforeLeaving(): void {
  for (const keeping of keepings.values()) void send(keeping, true);
}

if (!import.meta.env.SSR) addEventListener('pagehide', keepBeforeLeaving);
