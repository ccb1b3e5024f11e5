import { expect, test, vi } from 'vitest';
import { openLog } from './worker-process.ts';

test('A full disk stops the log of a copy, not the copy itself', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const log = openLog('/dev/full');
  const write = () => new Promise((resolve) => log.write('a line', resolve));
  expect(await write()).toBeInstanceOf(Error);
  expect(await write()).toBeInstanceOf(Error);
  await vi.waitFor(() => expect(said).toHaveBeenCalledTimes(1));
  said.mockRestore();
});
