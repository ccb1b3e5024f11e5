/** Lists and deletes many objects of the bucket. */
import type { Env } from '../env.ts';

/** Lists every object below a folder, page by page. */
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

/** How many keys one request can delete. https://developers.cloudflare.com/r2/api/workers/workers-api-reference/ */
const mostKeys = 1_000;

/** Deletes any number of objects. */
export async function deleteObjects({ FILES }: Pick<Env, 'FILES'>, keys: readonly string[]): Promise<void> {
  for (let at = 0; at < keys.length; at += mostKeys) await FILES.delete(keys.slice(at, at + mostKeys));
}
