/** Going through the bucket, and deleting much of it. */
import type { Env } from '../env.ts';

/** Every object below a folder, in the bucket's own pages. */
export async function* listObjects(
  { FILES }: Pick<Env, 'FILES'>,
  prefix: string,
): AsyncGenerator<readonly R2Object[], void> {
  let cursor: string | undefined;
  do {
    const listed = await FILES.list({ prefix, ...(cursor !== undefined && { cursor }) });
    yield listed.objects;
    cursor = listed.truncated ? listed.cursor : undefined;
  } while (cursor !== undefined);
}

/** Most keys that one request deletes. https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ */
const mostKeys = 1_000;

/** Deletes any number of objects. */
export async function deleteObjects({ FILES }: Pick<Env, 'FILES'>, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += mostKeys) await FILES.delete(keys.slice(at, at + mostKeys));
}
