import { defineConfig } from 'playwright/test';
import { chromiumArgs, ensureChromium } from './dev/chromium.ts';
import { untilMs } from './tests/support/limits.ts';

/** Which tests run: `essential`, those of `npm test`; `rest`, those of `npm run test:all`; or `every` one. */
const selection = process.env['TESTS'] ?? 'every';
const rest = '**/*.all.spec.ts';

/** Browser tests: Debian's Chromium against a copy of the product that the run starts for itself. */
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: selection === 'rest' ? rest : '**/*.spec.ts',
  ...(selection === 'essential' && { testIgnore: rest }),
  globalSetup: './tests/browser/start-system.ts',
  outputDir: 'test-results/browser',
  fullyParallel: true,
  workers: 2,
  // No limit a test: `npm test` watches the whole run.
  timeout: 0,
  expect: { timeout: untilMs },
  use: {
    actionTimeout: untilMs,
    navigationTimeout: untilMs,
    launchOptions: { executablePath: ensureChromium(), args: chromiumArgs, timeout: untilMs },
    // A trace of every test costs a quarter of the run; TRACE=1 records what failed.
    trace: process.env['TRACE'] === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
