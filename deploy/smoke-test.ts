/** Waits until a site that was just deployed answers with its pages and reaches its database. */
import { revisionPath } from '#contract/history.ts';
import { describeTrouble } from './trouble.ts';
import { DeployError } from './command.ts';

export interface SmokeOptions {
  /** How long it may take, in ms: a new domain waits for its certificate. */
  readonly limitMs: number;
  readonly pauseMs: number;
}

/**
 * Leads past the memory of an isolate (`answerFromMemory`), which has the page for a second after it was asked for the
 * revision: only the shared cache can say what it did.
 */
export const pastMemory = { headers: { 'Cache-Control': 'no-cache' } } as const satisfies RequestInit;

/**
 * Asks for the first page twice, so that the second answer shows whether a cache stands in front of the site.
 * @returns what the cache said to each, such as 'MISS, then HIT'
 * @throws DeployError when the site does not answer in time
 */
export async function smokeTest(siteUrl: string, { limitMs, pauseMs }: SmokeOptions): Promise<string> {
  const deadline = Date.now() + limitMs;
  for (let said = 'nothing'; ;) {
    try {
      // Not its health: the cron trigger of a new Worker may take a quarter of an hour to fire.
      const revision = await fetch(new URL(revisionPath, siteUrl));
      const first = await fetch(new URL('/', siteUrl), pastMemory);
      const second = await fetch(new URL('/', siteUrl), pastMemory);
      const { revision: live }: { revision?: number | null } = await revision.json();
      if (live && first.ok && second.ok && second.headers.has('X-Content-Revision'))
        return [first, second].map(({ headers }) => headers.get('Cf-Cache-Status') ?? 'none').join(', then ');
      said = `${revisionPath} ${String(revision.status)}, / ${String(second.status)}`;
    } catch (error) {
      said = describeTrouble(error);
    }
    if (Date.now() > deadline)
      throw new DeployError(
        `${siteUrl} does not answer as it should (${said}). The new version is uploaded. A new name may take hours until this machine finds it: open the address elsewhere, and run this again when it answers here.`,
      );
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
