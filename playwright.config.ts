import { defineConfig } from 'playwright/test';
import { chromiumArgs, ensureChromium } from './dev/chromium.ts';
import { browserTestLimitMs, hookLimitMs, untilMs } from './tests/support/limits.ts';

/** Browser tests: Debian's Chromium against a copy of the product that the run starts for itself. */
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '*.spec.ts',
  globalSetup: './tests/browser/start-system.ts',
  // Emptied at the start, which what other tests have written beside it must outlive.
  outputDir: 'test-results/browser',
  fullyParallel: true,
  // The longest test begins first, so that no worker is left with it at the end.
  projects: [
    { name: 'longest', testMatch: 'worked-example.spec.ts' },
    { name: 'others', testIgnore: 'worked-example.spec.ts' },
  ],
  workers: 2,
  timeout: browserTestLimitMs,
  expect: { timeout: untilMs },
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    actionTimeout: untilMs,
    navigationTimeout: untilMs,
    launchOptions: { executablePath: ensureChromium(), args: chromiumArgs, timeout: hookLimitMs },
    // A trace of every test costs a quarter of the run; TRACE=1 records what failed.
    trace: process.env['TRACE'] === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
