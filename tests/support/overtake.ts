/** Runs a change right before another request writes to the database. */
import { expect, vi } from 'vitest';

/**
 * Sends a request, and acts right before its write reaches the database.
 * @param marker text in the JSON of the write
 */
export async function overtake(
  send: () => Promise<Response>,
  marker: string,
  act: () => Promise<Response>,
): Promise<{ readonly status: number; readonly body: string }> {
  const ask = globalThis.fetch;
  let acted: Promise<Response> | undefined;
  const spy = vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    if (!acted && input instanceof Request && (await input.clone().text()).includes(marker)) {
      acted = act();
      expect([200, 201, 204]).toContain((await acted).status);
    }
    return ask(input, init);
  });
  const answer = await send().finally(() => spy.mockRestore());
  expect(acted).toBeDefined();
  return { status: answer.status, body: await answer.text() };
}
