/** Waits until a newly deployed site serves its pages and reaches its database. */
import { revisionPath } from '#contract/history.ts';
import { DeployError, messageOf } from './errors.ts';

interface SmokeOptions {
  /** How long to wait, in ms. A new domain waits for its certificate. */
  readonly limitMs: number;
  readonly pauseMs: number;
}

/** @throws DeployError the site does not answer in time */
export async function smokeTest(siteUrl: string, { limitMs, pauseMs }: SmokeOptions): Promise<void> {
  const deadline = Date.now() + limitMs;
  for (let said = 'nothing'; ;) {
    try {
      // We do not call the health check, because a new Worker's cron trigger may take 15 minutes to fire.
      const revision = await fetch(new URL(revisionPath, siteUrl));
      const page = await fetch(new URL('/', siteUrl));
      const { revision: live }: { revision?: number | null } = await revision.json();
      if (live && page.ok && page.headers.has('X-Content-Revision')) return;
      said = `${revisionPath} ${String(revision.status)}, / ${String(page.status)}`;
    } catch (error) {
      said = messageOf(error);
    }
    if (Date.now() > deadline)
      throw new DeployError(
        `${siteUrl} does not respond yet (${said}). The new version is uploaded. A new domain waits for its certificate, and this machine may take hours to find a new host name.`,
      );
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
