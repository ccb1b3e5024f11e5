/**
 * A Worker can have six open connections at the same time. More are queued
 * (https://developers.cloudflare.com/workers/platform/limits/).
 */
const maxConnections = 6;

/** Runs work for each item, six at a time. @param work stops everything if it rejects */
export async function forEachConcurrent<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  await Promise.all(
    Array.from({ length: maxConnections }, async () => {
      for (const item of queue) await work(item);
    }),
  );
}
