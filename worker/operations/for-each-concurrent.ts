/** Work on many things, of which only some may run at the same time. */

/** A Worker waits for the answers of six connections at once; further ones queue (https://developers.cloudflare.com/workers/platform/limits/). */
const mostConnections = 6;

/** Does something for each item, six at a time. @param work a failure stops everything */
export async function forEachConcurrent<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const left = items.values();
  await Promise.all(
    Array.from({ length: mostConnections }, async () => {
      for (const item of left) await work(item);
    }),
  );
}
