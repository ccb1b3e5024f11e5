/**
 * What the header says of the site while a save goes live. Live is proven: a changed page is fetched, past every
 * cache of the browser, until it carries the revision of the save.
 */

export type PublicationStatus =
  | { readonly kind: 'publishing' }
  | { readonly kind: 'unchanged' }
  | { readonly kind: 'waiting' }
  /** Not seen live for as long as it was looked for. */
  | { readonly kind: 'unseen' }
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
    case 'unseen':
      return 'Saved. It could not be seen on the site yet: reload to look again';
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
/** Looks before it is given up: about five minutes of an open tab. */
const mostLooks = 80;

export interface AwaitLiveOptions {
  readonly signal: AbortSignal;
  /** Called once, when the first look finds an older page. */
  readonly onWaiting: () => void;
  readonly fetchPage?: typeof fetch;
  readonly wait?: (ms: number) => Promise<void>;
  /** Whether nobody sees the status just now; there is no look meanwhile. */
  readonly isHidden?: () => boolean;
}

/**
 * Resolves when a page carries the revision: true, or false when the signal ended the wait, or after some minutes of
 * looking. A look that fails counts as an older page; looks come ever more rarely, up to one in four seconds, and none
 * while the tab is hidden.
 */
export async function awaitLive(
  path: string,
  revision: number,
  { signal, onWaiting, fetchPage = fetch, wait = waitMs, isHidden = isTabHidden }: AwaitLiveOptions,
): Promise<boolean> {
  let looks = 0;
  while (!signal.aborted && looks < mostLooks) {
    if (looks === 0 || !isHidden()) {
      const page = await fetchPage(path, { cache: 'no-store', signal }).catch(() => undefined);
      if (Number(page?.headers.get('X-Content-Revision') ?? -1) >= revision) return true;
      if (looks === 0) onWaiting();
      looks += 1;
    }
    await wait(Math.min(longestWaitMs, shortestWaitMs * 1.5 ** (looks - 1)));
  }
  return false;
}

const isTabHidden = () => document.hidden;

const waitMs = (ms: number) =>
  new Promise<void>((resolve) => {
    setTimeout(resolve, ms);
  });
