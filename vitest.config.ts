import { globSync, readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { untilMs } from './tests/support/limits.ts';

/** Which tests run: `essential`, those of `npm test`; `rest`, those of `npm run test:all`; or `every` one. */
const selection = process.env['TESTS'] ?? 'every';

const unitTests = ['{deploy,worker}/**/*.test.ts', 'site/**/*.test.{ts,tsx}'];
const apiTests = ['tests/api/**/*.test.ts'];
const processTests = ['tests/faults/**/*.test.ts', 'dev/**/*.test.ts'];

/** The files of these patterns that belong to the selection: the rest has `.all.` in its name, or a folder of its own. */
function selected(patterns: readonly string[], isRest = false): string[] {
  return globSync([...patterns]).filter(
    (file) => selection === 'every' || (isRest || file.includes('.all.')) === (selection === 'rest'),
  );
}

/** Files that replace a module or load one again: they need modules that no other file has used. */
const replacesModules = (file: string) =>
  /\bvi\.(mock|doMock|resetModules)\(/.test(readFileSync(file, 'utf8'));

const unit = selected(unitTests);
const system = [...selected(apiTests), ...selected(processTests, true)];

const shared = {
  // No limit a test: `npm test` watches the whole run.
  testTimeout: 0,
  hookTimeout: 0,
  teardownTimeout: 0,
  maxWorkers: 2,
  expect: { poll: { timeout: untilMs } },
  isolate: false,
  setupFiles: ['tests/support/leave-nothing.ts'],
};

/**
 * Unit tests stand beside the file they test. The others stand in `tests/` and `dev/`, and start what they test on free
 * ports. Files share a process, because loading their modules again costs more than most tests; none may leave anything
 * in it.
 */
export default defineConfig({
  test: {
    passWithNoTests: true,
    silent: true,
    projects: [
      { test: { ...shared, name: 'unit', include: unit } },
      {
        test: {
          ...shared,
          name: 'own modules',
          include: system.filter(replacesModules),
          isolate: true,
        },
      },
      { test: { ...shared, name: 'system', include: system.filter((file) => !replacesModules(file)) } },
    ],
  },
});
