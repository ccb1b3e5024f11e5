/**
 * The entrypoint of the content pages. Workers Caching belongs to an entrypoint: wrangler.toml puts the cache in front
 * of this one only, so that calls and screens never wait for it and are never stored in it.
 * https://developers.cloudflare.com/workers/cache/configuration/
 */
import { WorkerEntrypoint } from 'cloudflare:workers';
import { isRecordPath } from '#contract/articles.ts';
import { openDatabase, type Database } from '../db/client.ts';
import { settingsErrors, type Env } from '../env.ts';
import { liveState } from './live.ts';
import type { Live, LivePage } from './page-set.ts';
import type { Purge, PurgeResult } from './purge.ts';
import { answerLive } from './serve-content.ts';

/** A page from a record that is not stored. The renderer is loaded on first use. */
async function findRecordPage(db: Database, live: Live, path: string): Promise<LivePage | undefined> {
  if (!isRecordPath(path)) return undefined;
  const { renderRecordPage } = await import('./record-pages.ts');
  return renderRecordPage(db, live, path);
}

/** After this 503, the cache keeps serving its stored page, and the Worker falls back to the last publication. */
const notConfirmed = () =>
  new Response(null, { status: 503, headers: { 'Cache-Control': 'no-store', 'Retry-After': '1' } });

export class Pages extends WorkerEntrypoint<Env> implements Purge {
  /**
   * A content page confirmed by the database. The cache stores it for a minute, so a page from memory alone is not
   * enough.
   */
  override async fetch(request: Request): Promise<Response> {
    if (settingsErrors(this.env).length > 0) return notConfirmed();
    const keepAlive = (work: Promise<unknown>) => this.ctx.waitUntil(work);
    const path = new URL(request.url).pathname;
    const options = { path, mayTrust: false };
    const db = openDatabase(this.env);
    const { live, fresh } = await liveState(db, this.env, keepAlive, options);
    const page = fresh && live ? (live.pages.get(path) ?? (await findRecordPage(db, live, path))) : undefined;
    return page ? answerLive(request, this.env, page, true) : notConfirmed();
  }

  /**
   * Purges the cache of this entrypoint, which only the entrypoint itself can do. Undefined where the runtime has no
   * cache.
   */
  async purge(tags: readonly string[]): Promise<PurgeResult | undefined> {
    return this.ctx.cache?.purge({ tags: [...tags] });
  }
}
