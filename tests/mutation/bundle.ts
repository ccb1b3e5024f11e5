/** Bundles the changed code, so that the tests of the whole product also run it. Vitest calls this before the tests. */
export { bundleForNode as setup } from '../support/worker-bundle.ts';
