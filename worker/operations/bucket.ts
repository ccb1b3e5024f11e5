/** Going through the bucket. */
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
