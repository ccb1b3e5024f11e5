/**
 * The saves of a screen, and the header's status until each save is live. To verify that a save is live, the browser
 * fetches a changed page, bypassing its own cache, until the page has the revision of the save.
 */
import { useEffect } from 'react';
import type { ApiResponse } from '#site/app/call.ts';
import { makeStore } from '#site/app/store.ts';
import { showToast } from '#site/app/toasts.tsx';
import type { ToastLink } from '#site/ui/toast.tsx';
import { row } from '#site/ui/layout.ts';
import css from './publishing.module.css';
import { revisionPath } from '#contract/history.ts';

type PublicationStatus =
  | { readonly kind: 'publishing' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'waiting' }
  /** The save was not seen live within the time limit. */
  | { readonly kind: 'unseen' }
  /** `seconds` since the save; undefined for a revision that was live when the screen opened. */
  | { readonly kind: 'live'; readonly revision: number; readonly seconds?: number };

export function statusText(status: PublicationStatus): string {
  switch (status.kind) {
    case 'publishing':
      return 'Publishing…';
    case 'unchanged':
      return 'Saved, no page changed';
    case 'waiting':
      return 'Saved, waiting for the cache near you';
    case 'unseen':
      return 'Saved, but not visible on the site yet. Reload to check again';
    case 'live': {
      const { revision, seconds } = status;
      return `Live, revision ${revision}${seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`}`;
    }
  }
}

interface SavedRevision {
  readonly revision: number;
  readonly changedPages: readonly string[];
}

/** Returns the publication in the response of a save; undefined if there is none. */
export function savedRevisionOf(headers: Headers): SavedRevision | undefined {
  const revision = Number(headers.get('X-Content-Revision') ?? 'none');
  if (!Number.isInteger(revision)) return undefined;
  const pages = headers.get('X-Changed-Pages') ?? '';
  return { revision, changedPages: pages.split(',').flatMap((path) => path.trim() || []) };
}

const shortestWaitMs = 250;
const maxWaitMs = 4_000;
/** The number of checks before giving up, about five minutes in a visible tab. */
const maxChecks = 80;

interface AwaitLiveOptions {
  readonly signal: AbortSignal;
  /** Called once, if the first check finds an older page. */
  readonly onWaiting: () => void;
  readonly fetchPage?: typeof fetch;
  readonly wait?: (ms: number) => Promise<void>;
  /** Whether the tab is hidden, which pauses the checks. */
  readonly isHidden?: () => boolean;
}

/**
 * Resolves to true when a page has the revision, and to false if the signal aborts or after some minutes. A
 * failed check counts as an older page. Checks slow down to one in four seconds, and pause while the tab is
 * hidden.
 */
export async function awaitLive(
  path: string,
  revision: number,
  { signal, onWaiting, fetchPage = fetch, wait = waitMs, isHidden = isTabHidden }: AwaitLiveOptions,
): Promise<boolean> {
  let looks = 0;
  while (!signal.aborted && looks < maxChecks) {
    if (looks === 0 || !isHidden()) {
      const page = await fetchPage(path, { cache: 'no-store', signal }).catch(() => undefined);
      if (Number(page?.headers.get('X-Content-Revision') ?? -1) >= revision) return true;
      if (looks === 0) onWaiting();
      looks += 1;
    }
    await wait(Math.min(maxWaitMs, shortestWaitMs * 1.5 ** (looks - 1)));
  }
  return false;
}

const isTabHidden = () => document.hidden;

const waitMs = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });

const status = makeStore<PublicationStatus | undefined>(undefined);
/** The last status before the running save. It is restored if the save fails. */
let settled: PublicationStatus | undefined;
let following: AbortController | undefined;
/** A page that the last save changed; undefined if it changed none, or failed. */
let liveLink: ToastLink | undefined;

function show(next: PublicationStatus | undefined): void {
  if (next?.kind !== 'publishing') settled = next;
  status.set(next);
}

/** Saves, and shows the status until the save is live. */
export async function publish<T>(save: () => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> {
  following?.abort();
  const controller = new AbortController();
  const { signal } = controller;
  following = controller;
  liveLink = undefined;
  const startedAt = performance.now();
  const follow = (next: PublicationStatus | undefined) => {
    if (!signal.aborted) show(next);
  };
  follow({ kind: 'publishing' });
  try {
    const answer = await save();
    const saved = savedRevisionOf(answer.headers);
    const [path] = saved?.changedPages ?? [];
    liveLink = path === undefined ? undefined : { href: path, label: 'View live' };
    if (!saved || path === undefined) follow({ kind: 'unchanged' });
    else
      void awaitLive(path, saved.revision, { signal, onWaiting: () => follow({ kind: 'waiting' }) }).then(
        (isLive) => {
          const seconds = (performance.now() - startedAt) / 1_000;
          follow(isLive ? { kind: 'live', revision: saved.revision, seconds } : { kind: 'unseen' });
        },
      );
    return answer;
  } catch (error) {
    follow(settled);
    throw error;
  }
}

/** Shows a toast about the last save, with a link to a page that it changed. */
export function showSaved(text: string): void {
  showToast(text, 'success', liveLink);
}

async function readLiveRevision(signal: AbortSignal): Promise<number | undefined> {
  const response = await fetch(revisionPath, { signal });
  const body: unknown = response.ok ? await response.json() : undefined;
  const isRevision = typeof body === 'object' && body !== null && 'revision' in body;
  return isRevision && typeof body.revision === 'number' ? body.revision : undefined;
}

export function PublishingStatus() {
  const shown = status.useValue();
  useEffect(() => {
    const controller = new AbortController();
    readLiveRevision(controller.signal).then(
      (revision) => {
        // If content was saved in the meantime, its status is newer.
        if (revision !== undefined && !following) show({ kind: 'live', revision });
      },
      () => undefined, // The header then shows no status. The screen itself reports a lost connection.
    );
    return () => controller.abort();
  }, []);
  return (
    <p className={row(2, css['status'])} role="status" data-kind={shown?.kind}>
      {shown && statusText(shown)}
    </p>
  );
}
