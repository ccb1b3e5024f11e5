import { defineConfig } from 'playwright/test';
import { chromiumArgs, ensureChromium } from './dev/chromium.ts';
import { untilMs } from './tests/support/limits.ts';

/** `essential` selects the tests of `npm test`, `rest` the others of `npm run test:all`, and `every` selects both. */
const selection = process.env['TESTS'] ?? 'every';
const rest = '**/*.all.spec.ts';

/** The browser reaches this machine only. */
const noOtherHost = '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1';

/** The browser tests use an installed Chromium and a copy of the product that the run starts. */
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: selection === 'rest' ? rest : '**/*.spec.ts',
  ...(selection === 'essential' && { testIgnore: rest }),
  globalSetup: './tests/browser/start-system.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 2,
  // A test has no time limit, because machines differ. `npm test` watches the whole run.
  timeout: 0,
  expect: { timeout: untilMs },
  use: {
    actionTimeout: untilMs,
    navigationTimeout: untilMs,
    launchOptions: {
      executablePath: ensureChromium(),
      args: [...chromiumArgs, noOtherHost],
      timeout: untilMs,
    },
    // Traces make a run a quarter longer. TRACE=1 records them and keeps those of failed tests.
    trace: process.env['TRACE'] === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
