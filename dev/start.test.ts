/** `npm start` with a mistake in its settings prints one sentence and exits with a nonzero code. */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readOptions } from './system/settings.ts';

const server = createServer();
let takenPort = '';
let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'storefront-start-'));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  takenPort = String(typeof address === 'object' && address ? address.port : 0);
});
afterAll(async () => {
  server.close();
  await rm(folder, { recursive: true, force: true });
});

function start(environment: Readonly<Record<string, string>>): Promise<{ code: unknown; said: string }> {
  const { promise, resolve } = Promise.withResolvers<{ code: unknown; said: string }>();
  execFile(
    process.execPath,
    [join(import.meta.dirname, 'start.ts')],
    { env: { ...process.env, DATA_DIR: folder, PORT: '1', ...environment } },
    (error, _stdout, stderr) => resolve({ code: error?.code, said: stderr.trim() }),
  );
  return promise;
}

test.each<[string, NodeJS.ProcessEnv, RegExp]>([
  ['a port that is not a number', { PORT: 'x' }, /^PORT must be a whole number from 1 to 65535, not "x"\.$/],
  ['an empty setting', { DATA_DIR: '' }, /^DATA_DIR is set but empty\. Give it a value or leave it out\.$/],
  ['a short password', { ADMIN_PASSWORD: 'abc' }, /^ADMIN_PASSWORD must have 12 to 256 characters\.$/],
])('A start with %s is refused with one sentence that says what is wrong', (_, environment, sentence) => {
  expect(() => readOptions(environment)).toThrow(sentence);
});

test('A person who starts with a folder that cannot exist reads one sentence that says what is wrong', async () => {
  const { code, said } = await start({ DATA_DIR: '/proc/nope' });
  expect(said).toMatch(/^The data folder \/proc\/nope cannot be used: .+$/);
  expect(code).toBe(1);
});

test('A person who starts on a taken port reads which command to use instead', async () => {
  const { code, said } = await start({ PORT: takenPort });
  expect(said).toBe(
    `Port ${takenPort} is already taken. Stop what uses it, or choose another: PORT=8788 npm start`,
  );
  expect(code).toBe(1);
});
