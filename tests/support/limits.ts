/**
 * How long the runners wait, so that no test depends on how fast the machine is: each limit is many times what the
 * slowest test needs on two cores, and a test that passes never waits for one to run out.
 */

/** `npm run test:full`: the long forms of the security and fault tests. */
export const fullSize = process.env['FULL'] === '1';

/** One test of Vitest, in ms; in full size some take half an hour. */
export const testLimitMs = fullSize ? 10_800_000 : 300_000;
/** Starting and stopping what a suite needs, a build of the site included, in ms. */
export const hookLimitMs = 600_000;
/** One browser test, in ms; some walk through every screen. */
export const browserTestLimitMs = fullSize ? 10_800_000 : 900_000;
/** What must come true by itself: a mail, a webhook, an element of a page, in ms. */
export const untilMs = 60_000;
