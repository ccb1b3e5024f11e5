/** The saves of a screen, and the header's status until each is live. */
import { createContext, useCallback, useContext, useEffect, useRef, useState, type ReactNode } from 'react';
import { ToastContext, useToast, type ShowToast } from '#site/ui/toast.tsx';
import type { ApiResponse } from '#site/app/call.ts';
import { awaitLive, savedRevisionOf, statusText, type PublicationStatus } from './publication-status.ts';
import { row } from '#site/ui/layout.ts';
import css from './publishing.module.css';
import { revisionPath } from '#contract/history.ts';

/** Saves, and shows the status until the save is live. Returns and throws what the save does. */
export type Publish = <T>(save: () => Promise<ApiResponse<T>>) => Promise<ApiResponse<T>>;

interface Publishing {
  readonly status: PublicationStatus | undefined;
  readonly publish: Publish;
}

const PublishingContext = createContext<Publishing | undefined>(undefined);

function usePublishing(): Publishing {
  const publishing = useContext(PublishingContext);
  if (!publishing) throw new Error('usePublish needs a PublishingProvider above it.');
  return publishing;
}

export const usePublish = (): Publish => usePublishing().publish;

async function readLiveRevision(signal: AbortSignal): Promise<number | undefined> {
  const response = await fetch(revisionPath, { signal });
  const body: unknown = response.ok ? await response.json() : undefined;
  const isRevision = typeof body === 'object' && body !== null && 'revision' in body;
  return isRevision && typeof body.revision === 'number' ? body.revision : undefined;
}

export function PublishingProvider({ children }: { readonly children: ReactNode }) {
  const [status, setStatus] = useState<PublicationStatus>();
  /** The last status before the running save. If the save fails, it is restored. */
  const settled = useRef<PublicationStatus>(undefined);
  const following = useRef<AbortController>(undefined);

  /** The page that the last save changed, until a toast has linked to it. */
  const changed = useRef<string>(undefined);
  const showToast = useToast();
  const showSaved = useCallback<ShowToast>(
    (text, tone, link) => {
      const href = changed.current;
      changed.current = undefined;
      return showToast(text, tone, link ?? (href === undefined ? undefined : { href, label: 'View live' }));
    },
    [showToast],
  );

  const show = useCallback((next: PublicationStatus | undefined) => {
    if (next?.kind !== 'publishing') settled.current = next;
    setStatus(next);
  }, []);

  useEffect(() => {
    const controller = new AbortController();
    readLiveRevision(controller.signal).then(
      (revision) => {
        // If content was saved in the meantime, its status is newer.
        if (revision !== undefined && !following.current) show({ kind: 'live', revision });
      },
      () => undefined, // The header shows no status. The screen itself reports a lost connection.
    );
    return () => {
      controller.abort();
      following.current?.abort();
    };
  }, [show]);

  const publish = useCallback<Publish>(
    async (save) => {
      following.current?.abort();
      const controller = new AbortController();
      const { signal } = controller;
      following.current = controller;
      const startedAt = performance.now();
      const follow = (next: PublicationStatus | undefined) => {
        if (!signal.aborted) show(next);
      };
      follow({ kind: 'publishing' });
      try {
        const answer = await save();
        const saved = savedRevisionOf(answer.headers);
        const [path] = saved?.changedPages ?? [];
        changed.current = path;
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
        follow(settled.current);
        throw error;
      }
    },
    [show],
  );

  return (
    <PublishingContext value={{ status, publish }}>
      <ToastContext value={showSaved}>{children}</ToastContext>
    </PublishingContext>
  );
}

export function PublishingStatus() {
  const { status } = usePublishing();
  return (
    <p className={row(2, css['status'])} role="status" data-kind={status?.kind}>
      {status && statusText(status)}
    </p>
  );
}
