import { defineConfig } from 'playwright/test';
import { chromiumArgs, ensureChromium } from './dev/chromium.ts';

/** Browser tests: Debian's Chromium against a copy of the product that the run starts for itself. */
export default defineConfig({
  testDir: 'tests/browser',
  testMatch: '*.spec.ts',
  globalSetup: './tests/browser/start-system.ts',
  outputDir: 'test-results',
  fullyParallel: true,
  workers: 2,
  timeout: 90_000,
  expect: { timeout: 10_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/browser.json' }]],
  use: {
    launchOptions: { executablePath: ensureChromium(), args: chromiumArgs },
    // A trace of every test costs a quarter of the run; TRACE=1 records what failed.
    trace: process.env['TRACE'] === '1' ? 'retain-on-failure' : 'off',
    screenshot: 'only-on-failure',
  },
});
