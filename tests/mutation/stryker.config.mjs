// @ts-check
/** How `npm run mutation` has Stryker work. https://stryker-mutator.io/docs/stryker-js/configuration/ */
export default {
  testRunner: 'vitest',
  plugins: ['@stryker-mutator/vitest-runner', './tests/mutation/sample.mjs'],
  checkers: ['sample'],
  reporters: ['tell', 'clear-text'],
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: false },
  vitest: { configFile: 'tests/mutation/vitest.config.ts', related: false },
  // Texts are held against the specification and the guides by other tests.
  mutator: { excludedMutations: ['StringLiteral'] },
  coverageAnalysis: 'perTest',
  ignoreStatic: true,
  concurrency: 2,
  timeoutMS: 20_000,
  timeoutFactor: 3,
  dryRunTimeoutMinutes: 30,
};
