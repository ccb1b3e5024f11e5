/**
 * How long tests wait. No single test has a time limit. `npm test` watches the whole run and names the tests that hang
 * when nothing has finished for a long time (dev/check/progress.ts).
 */

/** `npm run test:full`: the security and fault tests at full size. */
export const fullSize = process.env['FULL'] === '1';

/**
 * How long a test waits for something that happens in the background, such as an email, a webhook, or an element of a
 * page, in ms. It is many times what a slow and busy machine needs, and only a failing test waits this long. Shorten it
 * while you work on a failing test: `UNTIL_SECONDS=20 npm test -- checkout`.
 */
export const untilMs = Number(process.env['UNTIL_SECONDS'] ?? 300) * 1000;
