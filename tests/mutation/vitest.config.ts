import { defineConfig } from 'vitest/config';

/** The tests that reach each folder in their own process, where Stryker activates a mutant. */
const testsOf = {
  payments: [
    'worker/payments/*.test.ts',
    'tests/api/{alerts,brief,coupons,disputes,fraud-warnings,ledger,mail,order-limits,payment-key,receipts,refunds,subscription-coupons,subscriptions,webhook-endpoint}.test.ts',
    'tests/api/restored-money.all.test.ts',
    'tests/api/payments-{people,races,webhooks}.test.ts',
  ],
  publishing: ['worker/publishing/*.test.ts', 'tests/api/{articles,publishing,publishing-rules}.test.ts'],
};
const mutated = process.env['MUTATION_OF'] ?? 'payments publishing';

export default defineConfig({
  test: {
    testTimeout: 0,
    hookTimeout: 0,
    // The default of one second is too short on a busy machine, and the initial run must pass.
    expect: { poll: { timeout: 10_000 } },
    globalSetup: ['tests/mutation/bundle.ts'],
    // One process tries all mutants, so that each test file loads its modules once.
    isolate: false,
    setupFiles: ['tests/support/restore-globals.ts'],
    include: Object.entries(testsOf).flatMap(([folder, tests]) => (mutated.includes(folder) ? tests : [])),
  },
});
