import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { promisify } from 'node:util';
import { expect, test, vi } from 'vitest';
import { checkPort, freePort, openLog } from './worker-process.ts';

const module = new URL('./worker-process.ts', import.meta.url).href;

async function askElsewhere(from: number): Promise<number> {
  const code = `console.log(String(await (await import(${JSON.stringify(module)})).freePort(${from})))`;
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', code]);
  return Number(stdout);
}

test('Copies that start at the same time get different ports, in one process and in several', async () => {
  const first = await freePort();
  const here = await Promise.all([freePort(first), freePort(first), freePort(first)]);
  const elsewhere = await askElsewhere(first);
  expect(new Set([first, ...here, elsewhere]).size).toBe(5);
  // Nothing listens on these ports yet, so each is free for its own copy.
  for (const port of [first, ...here, elsewhere]) await checkPort(port);
});

test('A copy does not get a port that is in use', async () => {
  const taken = await freePort();
  const server = createServer().listen(taken, '127.0.0.1');
  await once(server, 'listening');
  await expect(checkPort(taken)).rejects.toThrow('is already taken');
  expect(await askElsewhere(taken)).not.toBe(taken);
  server.close();
});

test('A port is below the range that the operating system assigns', async () => {
  expect(await freePort()).toBeLessThan(32_768);
});

test('A full disk ends the log of a copy, not the copy', async () => {
  const said = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  const log = openLog('/dev/full');
  const write = () => new Promise((resolve) => log.write('a line', resolve));
  expect(await write()).toBeInstanceOf(Error);
  expect(await write()).toBeInstanceOf(Error);
  await vi.waitFor(() => expect(said).toHaveBeenCalledTimes(1));
  said.mockRestore();
});
