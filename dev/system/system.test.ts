import { createClient } from '@libsql/client';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startLibsqlServer } from '../libsql/server.ts';
import { startSystem } from './system.ts';

vi.mock('./build-cache.ts', () => ({ buildIfChanged: () => Promise.resolve(true) }));
vi.mock('./worker-process.ts', () => ({
  checkPort: () => Promise.resolve(),
  startWorker: () => Promise.resolve({ url: '', stop: () => Promise.resolve() }),
}));

test('A copy with a real database migrates that database, and tells the caller its address', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'storefront-real-'));
  const authToken = 'token-of-the-real-database';
  const real = await startLibsqlServer({ file: join(folder, 'real.sqlite'), authToken });
  const options = {
    port: 1,
    dataDir: join(folder, 'data'),
    seed: 'empty',
    adminEmail: 'owner@agency.example',
    adminPassword: 'a-long-test-password',
    real: { TURSO_DATABASE_URL: real.url, TURSO_AUTH_TOKEN: authToken },
  } as const;
  const system = await startSystem(options);
  onTestFinished(async () => {
    await system.stop();
    await real.close();
    await rm(folder, { recursive: true });
  });
  await expect(startSystem(options)).rejects.toThrow(`Another copy runs in ${options.dataDir}.`);
  const client = createClient({ url: system.database.url, authToken: system.database.authToken });
  onTestFinished(() => client.close());
  expect((await client.execute('SELECT count(*) AS count FROM accounts')).rows).toEqual([{ count: 0 }]);
});
