/**
 * Saves unsaved form values as drafts on the server, shortly after the last keystroke, even if the form was closed in
 * the meantime. Each draft has at most one request at a time, so the last value wins. Failed requests are retried. When
 * the user leaves the page, everything unsent is sent immediately.
 */
import { callErrorOf } from '#site/app/call-error.ts';
import { api } from '#site/app/call.ts';
import type { Values } from '../content-calls.ts';
import { dropServerDraft, addServerDraft, type DraftKey } from './server-drafts.ts';

const debounceMs = 1_000;
const retryMs = 10_000;
/** The maximum number of bytes that a browser still sends after a page is closed (Fetch, `keepalive`: 64 KiB). */
const maxKeepaliveBytes = 60_000;

/** The values of a form, with the key of the draft that stores them. */
export interface Typed extends DraftKey {
  /** The version of the record that is edited; undefined for a new record. */
  readonly version?: number | null | undefined;
  /** The changed fields. If there are none, there is no draft. */
  readonly values: Values;
}

interface Autosave {
  wanted: Typed;
  /** The state on the server, in the format of `textOf`; undefined while it is unknown. */
  saved: string | undefined;
  /** The draft whose text this one continues. The old draft is deleted as soon as this one is saved. */
  continues?: DraftKey | undefined;
  call?: AbortController | undefined;
  timer?: ReturnType<typeof setTimeout>;
}

const autosaves = new Map<string, Autosave>();

/** Empty if there is nothing to store. */
const textOf = ({ version, values }: Typed): string =>
  Object.keys(values).length === 0 ? '' : JSON.stringify([version ?? null, values]);

/** Whether repeating the request may succeed. A user who was signed out can log in again in another tab. */
const isTemporary = (thrown: unknown): boolean => {
  const { status } = callErrorOf(thrown);
  return status === 0 || status === 401 || status === 429 || status >= 500;
};

function callFor(
  { section, recordId, draftId, version, values }: Typed,
  signal: AbortSignal,
  isLast: boolean,
) {
  const form = { section, draftId, recordId };
  if (Object.keys(values).length === 0)
    return api('DELETE /drafts', { body: form, signal, keepalive: isLast });
  const body = { ...form, values, version: version ?? undefined };
  const keepalive = isLast && new Blob([JSON.stringify(body)]).size <= maxKeepaliveBytes;
  return api('PUT /drafts', { body, signal, keepalive });
}

function sendLater(entry: Autosave, afterMs: number): void {
  clearTimeout(entry.timer);
  entry.timer = setTimeout(() => void send(entry), afterMs);
}

/** @param isLast whether the page is closing, which would cancel a running request */
async function send(entry: Autosave, isLast = false): Promise<void> {
  clearTimeout(entry.timer);
  const { wanted } = entry;
  const text = textOf(wanted);
  if (text === entry.saved || (entry.call && !isLast)) return;
  entry.call?.abort();
  const call = new AbortController();
  entry.call = call;
  entry.saved = undefined;
  const failure = await callFor(wanted, call.signal, isLast).then(
    () => undefined,
    (thrown: unknown) => ({ isTemporary: isTemporary(thrown) }),
  );
  if (entry.call !== call) return;
  entry.call = undefined;
  if (!failure) {
    entry.saved = text;
    if (entry.continues) deleteDraft(entry.continues);
    entry.continues = undefined;
  }
  const now = textOf(entry.wanted);
  if (!failure && text !== '' && now !== '') addServerDraft(wanted);
  if (now !== text) sendLater(entry, debounceMs);
  else if (failure?.isTemporary) sendLater(entry, retryMs);
}

function autosaveOf(typed: Typed, saved: string | undefined): Autosave {
  const entry = autosaves.get(typed.draftId) ?? { wanted: typed, saved };
  autosaves.set(typed.draftId, entry);
  return entry;
}

/** Stores the values of a form soon, or deletes its draft if nothing has changed. */
export function autosave(typed: Typed): void {
  const text = textOf(typed);
  if (text === '') dropServerDraft(typed.draftId);
  const entry = autosaveOf(typed, '');
  entry.wanted = typed;
  if (text === entry.saved) {
    clearTimeout(entry.timer);
    if (text !== '') addServerDraft(typed);
  } else sendLater(entry, debounceMs);
}

/**
 * Stores a draft from the server under a new id, for the form that continues it. A form that is still open on another
 * device keeps the old id, so the two never replace each other's text.
 */
export function continueDraft(found: Typed, draftId: string): void {
  const typed = { ...found, draftId };
  const entry = autosaveOf(typed, '');
  entry.wanted = typed;
  entry.continues = found;
  sendLater(entry, 0);
}

/** Deletes a draft that its author discarded, or that equals the live record. */
export function deleteDraft(key: DraftKey): void {
  const nothing = { ...key, values: {} };
  dropServerDraft(key.draftId);
  const entry = autosaveOf(nothing, undefined);
  entry.wanted = nothing;
  void send(entry);
}

/** Sends everything that is pending or running immediately. */
export function flushAutosaves(): void {
  for (const entry of autosaves.values()) void send(entry, true);
}

if (!import.meta.env.SSR) addEventListener('pagehide', flushAutosaves);
