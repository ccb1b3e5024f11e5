/** Runs a change immediately before another request writes to the database. */
import { expect, vi } from 'vitest';
import type { Answer } from './visitor.ts';

/**
 * Does some work, and acts immediately before its first write with a marker reaches the database.
 * @param marker text in the JSON of the write
 */
export async function actBefore<T>(
  marker: string,
  act: () => PromiseLike<unknown>,
  work: () => Promise<T>,
): Promise<T> {
  const ask = globalThis.fetch;
  let acted = false;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!acted && input instanceof Request && (await input.clone().text()).includes(marker)) {
      acted = true;
      await act();
    }
    return ask(input, init);
  });
  const done = await work().finally(() => spy.mockRestore());
  expect(acted).toBe(true);
  return done;
}

/** Sends a request, and another one immediately before the write of the first. */
export async function overtake(
  send: () => Promise<Answer>,
  marker: string,
  act: () => Promise<Answer>,
): Promise<Answer> {
  const actWell = async () => expect([200, 201, 204]).toContain((await act()).status);
  return await actBefore(marker, actWell, send);
}
