/** Waits until a site that was just deployed answers with its pages and reaches its database. */
import { revisionPath } from '#contract/history.ts';
import { describeTrouble } from './trouble.ts';
import { DeployError } from './command.ts';

export interface SmokeOptions {
  /** How long it may take, in ms: a new domain waits for its certificate. */
  readonly limitMs: number;
  readonly pauseMs: number;
}

/** @throws DeployError when the site does not answer in time */
export async function smokeTest(siteUrl: string, { limitMs, pauseMs }: SmokeOptions): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (let said = 'nothing'; ;) {
    try {
      // Not its health: the cron trigger of a new Worker may take a quarter of an hour to fire.
      const revision = await fetch(new URL(revisionPath, siteUrl));
      const page = await fetch(new URL('/', siteUrl));
      const { revision: live }: { revision?: number | null } = await revision.json();
      if (live && page.ok && page.headers.has('X-Content-Revision')) return;
      said = `${revisionPath} ${String(revision.status)}, / ${String(page.status)}`;
    } catch (error) {
      said = describeTrouble(error);
    }
    if (Date.now() > deadline)
      throw new DeployError(
        `${siteUrl} does not answer yet (${said}). The new version is uploaded. This machine may take hours to find a new name: open the address on another device, and run this again once it answers here.`,
      );
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
