import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { fullSize, hookLimitMs, testLimitMs, untilMs } from './tests/support/limits.ts';

/** What a test may take. They wait for what they need, so that only one that hangs ever comes near. */
const limits = {
  testTimeout: testLimitMs,
  hookTimeout: hookLimitMs,
  teardownTimeout: hookLimitMs,
  // On two cores: those that start a system wait more than they compute.
  maxWorkers: 3,
  expect: { poll: { timeout: untilMs } },
  isolate: false,
  setupFiles: ['tests/support/leave-nothing.ts'],
};

/** The files that take longest, in the long forms and otherwise. */
const longest = fullSize
  ? ['security-fuzz', 'release-histories', 'broken-saves', 'payments-schedules', 'isolates', 'deploy']
  : [
      ...['deploy', 'sections', 'security-writes', 'broken-saves', 'round-trips', 'abuse', 'publishing'],
      ...['payments-webhooks', 'security-access', 'release-histories', 'serving', 'releases'],
    ];

/** The longest files begin first, so that no worker is left with one at the end. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
      return place === -1 ? longest.length : place;
    };
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => placeOf(one) - placeOf(other));
  }
}

const systemTests = ['tests/api/**/*.test.ts', 'tests/faults/**/*.test.ts'];

/** Those that put something else in the place of a module, or load it anew: they need modules that no other file has used. */
const withOwnModules = globSync(systemTests).filter((file) =>
  /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8')),
);

/**
 * Three kinds of Vitest tests: unit tests sit beside the file they test and need nothing; the others, in `dev/` and
 * `tests/`, start their own copy of what they test on free ports. Files share a process one after the other, because
 * importing their modules anew costs more than most tests: none may leave anything in it.
 */
export default defineConfig({
  test: {
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...limits,
          name: 'unit',
          include: ['worker/**/*.test.ts', 'site/**/*.test.{ts,tsx}'],
        },
      },
      { test: { ...limits, name: 'stand-ins', include: ['dev/**/*.test.ts'] } },
      { test: { ...limits, name: 'api-own-modules', include: withOwnModules, isolate: true } },
      {
        test: {
          ...limits,
          name: 'api',
          include: systemTests,
          exclude: withOwnModules,
          globalSetup: ['tests/support/api-system.ts'],
        },
      },
    ],
  },
});
