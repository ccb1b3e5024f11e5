import { defineConfig } from 'vitest/config';
import { hookLimitMs, testLimitMs } from '../support/limits.ts';

/**
 * Titles that try many orders of the same steps: they find races, take most of the time, and would be run again for every
 * mutant that the others have let pass.
 */
const costly = [
  'A monitor is told when',
  'A thousand payments of which nobody',
  'Crowds of concurrent changes',
  'Crowds of refunds',
  'Deliveries about a dispute in every order',
  'Deliveries in every order',
  'The events of a payment and its refund may come in every order',
  'Whenever a change comes while a backup is made',
];

/** The tests that reach each folder in their own process: a mutant is switched on in there. */
const testsOf = {
  payments: [
    'worker/payments/*.test.ts',
    'tests/api/{alerts,disputes,mail,order-limits,payment-key,receipts,refunds,restored-money}.test.ts',
    'tests/api/payments-{people,races,webhooks}.test.ts',
  ],
  publishing: ['worker/publishing/*.test.ts', 'tests/api/{publishing,serving}-rules.test.ts'],
};
const mutated = process.env['MUTATION_OF'] ?? 'payments publishing';

export default defineConfig({
  plugins: [
    {
      // In the text: Stryker's runner sets `testNamePattern` itself.
      name: 'leave-out-what-is-costly',
      enforce: 'pre',
      transform: (code, id) =>
        id.endsWith('.test.ts')
          ? costly.reduce((text, title) => text.replace(`test('${title}`, `test.skip('${title}`), code)
          : undefined,
    },
  ],
  test: {
    testTimeout: testLimitMs,
    hookTimeout: hookLimitMs,
    // Each mutant is tried in the same process: what a test file imports is there already.
    isolate: false,
    include: Object.entries(testsOf).flatMap(([folder, tests]) => (mutated.includes(folder) ? tests : [])),
  },
});
