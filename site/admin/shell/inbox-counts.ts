/**
 * How much waits for the staff: asked for every half a minute while somebody looks, at once when they come back, and never
 * in the background. Whatever shows it shares one question.
 */
import { useEffect, useEffectEvent, useRef, useSyncExternalStore } from 'react';
import type { InboxCounts } from '#contract/customers.calls.ts';
import { callAddress } from '#contract/call-address.ts';
import { offers } from './role.ts';

const everyMs = 30_000;

let known: InboxCounts | undefined;
let etag = '';
let isOver = false;
let timer: ReturnType<typeof setInterval> | undefined;
const listeners = new Set<() => void>();

async function ask(): Promise<void> {
  if (document.visibilityState === 'hidden' || !offers('staff')) return;
  const headers = { Accept: 'application/json', 'If-None-Match': etag };
  // What is not answered now is asked for again, and nobody waits for it.
  const response = await fetch(callAddress('GET /waiting'), { headers }).catch(() => undefined);
  if (!response) return;
  const wasOver = isOver;
  isOver = response.status === 401;
  if (response.status === 200) {
    etag = response.headers.get('ETag') ?? '';
    known = await response.json<InboxCounts>();
  }
  if (response.status === 200 || isOver !== wasOver) for (const listener of listeners) listener();
}

const onVisible = () => void ask();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  if (timer === undefined) {
    timer = setInterval(onVisible, everyMs);
    document.addEventListener('visibilitychange', onVisible);
    void ask();
  }
  return () => {
    listeners.delete(listener);
    if (listeners.size > 0) return;
    clearInterval(timer);
    timer = undefined;
    document.removeEventListener('visibilitychange', onVisible);
  };
}

/** Asks now: something was done that counts. */
export const refreshWaiting = (): void => void ask();

const getKnown = () => known;

/** The counts; undefined before they are known, and for who is not of the staff. */
export const useInboxCounts = (): InboxCounts | undefined =>
  useSyncExternalStore(subscribe, getKnown, getKnown);

const getIsOver = () => isOver;

/** Whether the session has ended meanwhile: what is shown grows old until somebody logs in again. */
export const useSessionOver = (): boolean => useSyncExternalStore(subscribe, getIsOver, getIsOver);

/** Does something whenever the counts have changed since they were first known. */
export function useWaitingChange(onChange: () => void): void {
  const waiting = useInboxCounts();
  const seen = useRef(waiting);
  const run = useEffectEvent(onChange);
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== waiting) run();
    seen.current = waiting;
  }, [waiting]);
}
