/**
 * Loaded before a command (`--import`), this routes requests for public addresses to servers on this machine, so
 * that a test can run with the settings of a real deployment. `ROUTED_HOSTS` is a JSON object that maps origins
 * to origins. If `BUILT_SITE` names a built site, Astro's builds copy it instead of building, because a build
 * takes longer than the rest of a deployment. They first check that a build could read its content. `AT_TERMINAL`
 * makes standard input and output look like a terminal.
 */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';

const routes = Object.entries(
  z.record(z.string(), z.string()).parse(JSON.parse(process.env['ROUTED_HOSTS'] ?? '{}')),
);
const realFetch = globalThis.fetch;

globalThis.fetch = (input: RequestInfo | URL, init?: RequestInit) => {
  const address = input instanceof Request ? input.url : String(input);
  const [from, to] = routes.find(([origin]) => address.startsWith(`${origin}/`)) ?? [];
  if (from === undefined || to === undefined)
    throw new TypeError(`A test asks for ${address}, which is not routed.`);
  const routed = to + address.slice(from.length);
  return input instanceof Request ? realFetch(new Request(routed, input), init) : realFetch(routed, init);
};

// Pretends that a person sits at the terminal. What they type comes through a pipe.
if (process.env['AT_TERMINAL']) process.stdin.isTTY = process.stdout.isTTY = true;

const { BUILT_SITE: builtSite, BUILD_TARGET: target, BUILD_DIR: buildDir } = process.env;
if (builtSite && buildDir && process.argv[1]?.endsWith('astro.mjs')) {
  if (target === 'static') await (await import('#site/build-content.ts')).readBuildContent();
  const part = target === 'static' ? 'dist' : '.renderer';
  await cp(join(builtSite, part), join(buildDir, part), { recursive: true });
  process.exit(0);
}
