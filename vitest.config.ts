import { defineConfig } from 'vitest/config';

/**
 * Two kinds of Vitest tests: unit tests sit beside the file they test and need nothing; the others, in `tests/`
 * and `dev/`, start their own copy of what they test on free ports.
 */
export default defineConfig({
  test: {
    projects: [
      { test: { name: 'unit', include: ['worker/**/*.test.ts', 'site/**/*.test.{ts,tsx}'] } },
      {
        test: {
          name: 'stand-ins',
          include: ['dev/**/*.test.ts'],
          testTimeout: 30_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'api',
          include: ['tests/api/**/*.test.ts', 'tests/faults/**/*.test.ts'],
          globalSetup: ['tests/support/api-system.ts'],
          maxWorkers: 2,
          // In full size some tests take minutes.
          testTimeout: process.env['FULL'] === '1' ? 600_000 : 30_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
