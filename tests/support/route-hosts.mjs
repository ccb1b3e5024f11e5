/**
 * Loaded before a command (`--import`), this routes requests for public URLs to servers on this machine, so that a test
 * can run with the settings of a real deployment. `ROUTED_HOSTS` is a JSON object that maps origins to origins. If
 * `BUILT_SITE` is set to a built site, Astro's builds copy it instead of building, because a build takes longer than
 * the rest of a deployment. They first check that a build could read its content. `AT_TERMINAL` makes standard input
 * and output look like a terminal.
 *
 * A deployment starts many processes, and each loads this file. It is therefore JavaScript, which Node does not have to
 * convert.
 */
import { cp } from 'node:fs/promises';
import { registerHooks } from 'node:module';
import { join } from 'node:path';

/** @type {unknown} */
const routedHosts = JSON.parse(process.env['ROUTED_HOSTS'] ?? '{}');
const routes = Object.entries(/** @type {Record<string, string>} */ (routedHosts));
const realFetch = globalThis.fetch;

const absent = process.env['ABSENT'];
const realNow = Date.now;
let skippedMs = 0;
if (absent) Date.now = () => realNow() + skippedMs;

/**
 * @param {RequestInfo | URL} input
 * @param {RequestInit} [init]
 */
globalThis.fetch = (input, init) => {
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

// Pretends that a person is at the terminal. What they type comes through a pipe.
if (process.env['AT_TERMINAL']) process.stdin.isTTY = process.stdout.isTTY = true;

// Node parses the 180 KB of drizzle-orm's package.json again for each of its 600 modules, unless it knows their format.
// That is half of a command's start time.
registerHooks({
  resolve: (specifier, context, next) =>
    /^\..*\.js$/.test(specifier) && context.parentURL?.includes('/node_modules/drizzle-orm/')
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
});

const { BUILT_SITE: builtSite, BUILD_TARGET: target, BUILD_DIR: buildDir } = process.env;
if (builtSite && buildDir && process.argv[1]?.endsWith('astro.mjs')) {
  if (target === 'static') await (await import('#site/build-content.ts')).readBuildContent();
  const part = target === 'static' ? 'dist' : '.renderer';
  await cp(join(builtSite, part), join(buildDir, part), { recursive: true });
  process.exit(0);
}
