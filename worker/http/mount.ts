/** Handlers are mounted by their entry in the manifest, so that a call is spelt and guarded in one place. */
import type { Context, Hono } from 'hono';
import { idPattern } from '../contract/ids.ts';
import type { Call } from '../contract/calls.ts';
import type { AppEnv } from './app.ts';

/** A call's path as Hono matches it: an id matches only an id, never an arbitrary word. */
export const routePattern = (path: string): string =>
  path.replace(':id', `:id{${idPattern}}`).replace(':revision', ':revision{[0-9]{1,9}}');

/** Mounts the handler of one call. */
export function mount(
  app: Hono<AppEnv>,
  call: Call,
  handler: (c: Context<AppEnv>, id: string) => Response | Promise<Response>,
): void {
  app.on(call.method, routePattern(call.path), (c) =>
    handler(c, c.req.param('id') ?? c.req.param('revision') ?? ''),
  );
}
