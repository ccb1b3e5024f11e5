import { expect, onTestFinished, test, vi } from 'vitest';
import { readBuildContent } from '#site/build-content.ts';
import { openTestDatabase } from '../support/test-database.ts';

test('A site is not built from a database without its three packages', async () => {
  const { env, close } = await openTestDatabase();
  vi.stubEnv('TURSO_DATABASE_URL', env.TURSO_DATABASE_URL);
  onTestFinished(async () => {
    vi.unstubAllEnvs();
    await close();
  });
  await expect(readBuildContent()).rejects.toThrow('The database holds 0 packages; a site has three.');
});
