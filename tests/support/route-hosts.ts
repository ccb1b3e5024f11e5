/**
 * Loaded before a command (`--import`), it leads requests for public addresses to servers of this machine, so that a test
 * can run with the settings of a real deployment. `ROUTED_HOSTS` is a JSON object: origin to origin. Where `BUILT_SITE`
 * names a built site, Astro's builds are copies of it, made where a build could read its content: they take longer than
 * all else that a deployment does. `AT_TERMINAL` says that a person sits there.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const routes = Object.entries(
  z.record(z.string(), z.string()).parse(JSON.parse(process.env['ROUTED_HOSTS'] ?? '{}')),
);
const realFetch = globalThis.fetch;

const absent = process.env['ABSENT'];
const realNow = Date.now;
let skippedMs = 0;
if (absent) Date.now = () => realNow() + skippedMs;

globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
  const address = input instanceof Request ? input.url : String(input);
  if (absent && address.startsWith(`${absent}/`)) {
    skippedMs += 5 * 60_000;
    return Promise.reject(new TypeError('fetch failed'));
  }
  const [from, to] = routes.find(([origin]) => address.startsWith(`${origin}/`)) ?? [];
  if (from === undefined || to === undefined)
    throw new TypeError(`A test asks for ${address}, which is not routed.`);
  const routed = to + address.slice(from.length);
  return input instanceof Request ? realFetch(new Request(routed, input), init) : realFetch(routed, init);
};

// A person at the terminal: what they type comes in by a pipe.
if (process.env['AT_TERMINAL']) process.stdin.isTTY = process.stdout.isTTY = true;

const { BUILT_SITE: builtSite, BUILD_TARGET: target, BUILD_DIR: buildDir } = process.env;
if (builtSite && buildDir && process.argv[1]?.endsWith('astro.mjs')) {
  if (target === 'static') await (await import('#site/build-content.ts')).readBuildContent();
  const part = target === 'static' ? 'dist' : '.renderer';
  await cp(join(builtSite, part), join(buildDir, part), { recursive: true });
  process.exit(0);
}
