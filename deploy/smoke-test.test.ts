/** What a deployment prints about the site that it has just uploaded. */
import { expect, test } from 'vitest';
import { smokeTest } from './smoke-test.ts';

test('A deployer whose machine cannot resolve the new name reads why, and that the site is uploaded', async () => {
  const asked = smokeTest('https://site.invalid', { limitMs: 0, pauseMs: 0 });
  await expect(asked).rejects.toThrow(
    /\(fetch failed \(.*site\.invalid.*\)\)\. The new version is uploaded\./,
  );
});
