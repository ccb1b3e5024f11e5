/**
 * Keeps on the server what stands in the forms and is not saved, a moment after the last key, also of a form that was left
 * meanwhile. Of each draft one call is under way at a time, so that what was typed last is what is kept. A call that fails
 * is made again, and what still waits goes out as the page is left.
 */
import { callErrorOf } from '#site/app/call-error.ts';
import { api } from '#site/app/call.ts';
import type { Values } from '../content-calls.ts';
import { noteForgotten, noteKept, type DraftKey } from './server-drafts.ts';

/** How long after the last key what was typed is kept, in ms. */
const settlesMs = 1_000;
/** How long after a failure it is tried again, in ms. */
const retriesMs = 10_000;
/** A browser lets a page that is left send so much (Fetch, `keepalive`: 64 KiB), in bytes. */
const mostOnLeaving = 60_000;

/** What stands in a form, by the draft that it is kept as. */
export interface Typed extends DraftKey {
  /** The version of the record from which it was typed; none of a new one. */
  readonly version?: number | null | undefined;
  /** The fields that were changed; none of them: there is nothing to keep. */
  readonly values: Values;
}

interface Keeping {
  wanted: Typed;
  /** What the server has, as `textOf` tells it; undefined while that is not certain. */
  kept: string | undefined;
  call?: AbortController | undefined;
  timer?: ReturnType<typeof setTimeout>;
}

const keepings = new Map<string, Keeping>();

/** Empty where there is nothing to keep. */
const textOf = ({ version, values }: Typed): string =>
  Object.keys(values).length === 0 ? '' : JSON.stringify([version ?? null, values]);

/** Whether the same call may be answered otherwise another time; who was signed out may log in again in another tab. */
const mayPass = (thrown: unknown): boolean => {
  const { status } = callErrorOf(thrown);
  return status === 0 || status === 401 || status === 429 || status >= 500;
};

function makeKeepingCall(
  { section, recordId, draftId, version, values }: Typed,
  signal: AbortSignal,
  isLast: boolean,
) {
  const form = { section, draftId, ...(recordId !== undefined && { recordId }) };
  if (Object.keys(values).length === 0)
    return api('DELETE /drafts', { body: form, signal, keepalive: isLast });
  const body = { ...form, values, ...(typeof version === 'number' && { version }) };
  const keepalive = isLast && new Blob([JSON.stringify(body)]).size <= mostOnLeaving;
  return api('PUT /drafts', { body, signal, keepalive });
}

function sendLater(keeping: Keeping, afterMs: number): void {
  clearTimeout(keeping.timer);
  keeping.timer = setTimeout(() => void send(keeping), afterMs);
}

/** @param isLast the page is left: what is under way would be given up with it */
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

/** Keeps what stands in a form from now on, or forgets its draft where nothing does. */
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

/** A form goes on with a draft that the server has. */
export const resumeAutosave = (typed: Typed): void => void keepingOf(typed, textOf(typed));

/** Forgets a draft that its author does not want, or that says what is live. */
export function forgetDraft(key: DraftKey): void {
  const nothing = { ...key, values: {} };
  noteForgotten(key.draftId);
  const keeping = keepingOf(nothing, undefined);
  keeping.wanted = nothing;
  void send(keeping);
}

/** Sends at once what still waits, or is under way. */
export function keepBeforeLeaving(): void {
  for (const keeping of keepings.values()) void send(keeping, true);
}

if (!import.meta.env.SSR) addEventListener('pagehide', keepBeforeLeaving);
