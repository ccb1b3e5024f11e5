/** What a deployment says of the site that it has just uploaded. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { revisionPath } from '#contract/history.ts';
import { smokeTest } from './smoke-test.ts';

/** A site behind a cache that keeps `/` from the first request on; memory answers whoever does not ask past it. */
async function startCachedSite(): Promise<string> {
  let isKept = false;
  const server = createServer(({ url, headers }, answer) => {
    answer.setHeader('X-Content-Revision', '1');
    if (url === revisionPath) return answer.end('{"revision":1}');
    if (headers['cache-control'] === 'no-cache') {
      answer.setHeader('Cf-Cache-Status', isKept ? 'HIT' : 'MISS');
      isKept = true;
    }
    return answer.end();
  });
  onTestFinished(() => void server.close());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('A deployment says what the shared cache did, past the memory of the isolate that it asked before', async () => {
  expect(await smokeTest(await startCachedSite(), { limitMs: 0, pauseMs: 0 })).toBe('MISS, then HIT');
});

test('A deployer whose machine does not find the new name reads why, and that the site is uploaded', async () => {
  const asked = smokeTest('https://site.invalid', { limitMs: 0, pauseMs: 0 });
  await expect(asked).rejects.toThrow(
    /\(fetch failed \(.*site\.invalid.*\)\)\. The new version is uploaded\./,
  );
});
