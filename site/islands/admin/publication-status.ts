/**
 * What the header says of the site while a save goes live. Live is proven: a changed page is fetched, past every
 * cache of the browser, until it carries the revision of the save.
 */

export type PublicationStatus =
  | { readonly kind: 'publishing' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'waiting' }
  /** `seconds` since the save was sent; absent for what was live when the screen opened. */
  | { readonly kind: 'live'; readonly revision: number; readonly seconds?: number };

/** The status in words. */
export function statusText(status: PublicationStatus): string {
  switch (status.kind) {
    case 'publishing':
      return 'Publishing …';
    case 'unchanged':
      return 'Saved, no page changed';
    case 'waiting':
      return 'Saved, waiting for the cache near you';
    case 'live': {
      const { revision, seconds } = status;
      return `Live, revision ${revision}${seconds === undefined ? '' : ` (${seconds.toFixed(1)} s)`}`;
    }
  }
}

/** What the answer to a save says of its publication; undefined when it says nothing. */
export interface SavedRevision {
  readonly revision: number;
  readonly changedPages: readonly string[];
}

export function savedRevisionOf(headers: Headers): SavedRevision | undefined {
  const revision = Number(headers.get('X-Content-Revision') ?? 'none');
  if (!Number.isInteger(revision)) return undefined;
  const pages = headers.get('X-Changed-Pages') ?? '';
  return { revision, changedPages: pages.split(',').flatMap((path) => path.trim() || []) };
}

const shortestWaitMs = 250;
const longestWaitMs = 4_000;

export interface AwaitLiveOptions {
  readonly signal: AbortSignal;
  /** Called once, when the first look finds an older page. */
  readonly onWaiting: () => void;
  readonly fetchPage?: typeof fetch;
  readonly wait?: (ms: number) => Promise<void>;
}

/**
 * Resolves when a page carries the revision: true, or false when the signal ended the wait. A look that fails counts
 * as an older page; looks come ever more rarely, up to one in four seconds.
 */
export async function awaitLive(
  path: string,
  revision: number,
  { signal, onWaiting, fetchPage = fetch, wait = waitMs }: AwaitLiveOptions,
): Promise<boolean> {
  for (let look = 0; !signal.aborted; look += 1) {
    const page = await fetchPage(path, { cache: 'no-store', signal }).catch(() => undefined);
    if (Number(page?.headers.get('X-Content-Revision') ?? -1) >= revision) return true;
    if (look === 0) onWaiting();
    await wait(Math.min(longestWaitMs, shortestWaitMs * 1.5 ** look));
  }
  return false;
}

const waitMs = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
