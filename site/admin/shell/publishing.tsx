/** The saves of a screen, and the header's status until each is live. */
import { useEffect } from 'react';
import type { ApiResponse } from '#site/app/call.ts';
import { makeStore } from '#site/app/store.ts';
import { linkNextToast } from '#site/app/toasts.tsx';
import { awaitLive, savedRevisionOf, statusText, type PublicationStatus } from './publication-status.ts';
import { row } from '#site/ui/layout.ts';
import css from './publishing.module.css';
import { revisionPath } from '#contract/history.ts';

const status = makeStore<PublicationStatus | undefined>(undefined);
/** The last status before the running save. If the save fails, it is restored. */
let settled: PublicationStatus | undefined;
let following: AbortController | undefined;

function show(next: PublicationStatus | undefined): void {
  if (next?.kind !== 'publishing') settled = next;
  status.set(next);
}

/** Saves, and shows the status until the save is live. The next toast links to a page that the save changed. */
export async function publish<T>(save: () => Promise<ApiResponse<T>>): Promise<ApiResponse<T>> {
  following?.abort();
  const controller = new AbortController();
  const { signal } = controller;
  following = controller;
  const startedAt = performance.now();
  const follow = (next: PublicationStatus | undefined) => {
    if (!signal.aborted) show(next);
  };
  follow({ kind: 'publishing' });
  try {
    const answer = await save();
    const saved = savedRevisionOf(answer.headers);
    const [path] = saved?.changedPages ?? [];
    linkNextToast(path === undefined ? undefined : { href: path, label: 'View live' });
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
      () => undefined, // The header shows no status. The screen itself reports a lost connection.
    );
    return () => controller.abort();
  }, []);
  return (
    <p className={row(2, css['status'])} role="status" data-kind={shown?.kind}>
      {shown && statusText(shown)}
    </p>
  );
}
