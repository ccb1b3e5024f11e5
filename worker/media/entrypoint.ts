/** Serves pictures from a separate entrypoint, which wrangler.toml puts behind the cache. */
import { WorkerEntrypoint } from 'cloudflare:workers';
import { settingsErrors, type Env } from '../env.ts';

export class Media extends WorkerEntrypoint<Env> {
  override async fetch(request: Request): Promise<Response> {
    const { readPicture } = await import('./serve.ts');
    const found = settingsErrors(this.env).length === 0 && (await readPicture(request, this.env));
    return found || new Response(null, { status: 404, headers: { 'Cache-Control': 'no-store' } });
  }
}
