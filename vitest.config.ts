import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { hashFile, makeHashesCheap } from './tests/support/cheap-hashes.ts';
import { untilMs } from './tests/support/limits.ts';

/** `essential` selects the tests of `npm test`, `rest` the others of `npm run test:all`, and `every` selects both. */
const selection = process.env['TESTS'] ?? 'every';

const unitTests = ['{deploy,worker}/**/*.test.ts', 'site/**/*.test.{ts,tsx}'];
const apiTests = ['tests/api/**/*.test.ts'];
const processTests = ['tests/faults/**/*.test.ts', 'dev/**/*.test.ts'];

/**
 * The selected files of these patterns. A file belongs to the rest if its name contains `.all.`.
 * @param isRest whether all files of the patterns belong to the rest
 */
function selected(patterns: readonly string[], isRest = false): string[] {
  return globSync([...patterns]).filter(
    (file) => selection === 'every' || (isRest || file.includes('.all.')) === (selection === 'rest'),
  );
}

/** Files that mock or reload a module. They need modules that no other file has loaded. */
const replacesModules = (file: string) =>
  /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8'));

const unit = selected(unitTests);
const system = [...selected(apiTests), ...selected(processTests, true)];

const shared = {
  // A test has no time limit, because machines differ. `npm test` watches the whole run.
  testTimeout: 0,
  hookTimeout: 0,
  teardownTimeout: 0,
  maxWorkers: 2,
  expect: { poll: { timeout: untilMs } },
  isolate: false,
  setupFiles: ['tests/support/restore-globals.ts'],
};

/** Passwords cost little in the tests of the system. The unit tests of hashes prove what one really costs. */
const plugins = [
  {
    name: 'cheap-hashes',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => (hashFile.test(id) ? makeHashesCheap(code) : undefined),
  },
];

/**
 * A unit test is beside the file it tests. The other tests are in `tests/` and `dev/`, and start what they test on free
 * ports. Test files share a process, because loading the modules takes longer than most tests. A file must leave the
 * process as it found it (tests/support/restore-globals.ts).
 */
export default defineConfig({
  test: {
    passWithNoTests: true,
    silent: true,
    projects: [
      { test: { ...shared, name: 'unit', include: unit.filter((file) => !replacesModules(file)) } },
      {
        plugins,
        test: {
          ...shared,
          name: 'own modules',
          include: [...unit, ...system].filter(replacesModules),
          isolate: true,
        },
      },
      {
        plugins,
        test: { ...shared, name: 'system', include: system.filter((file) => !replacesModules(file)) },
      },
    ],
  },
});
