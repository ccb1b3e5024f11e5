/**
 * `npm test` checks format, types, lint and imports, and proves every rule once. `npm run test:all` runs
 * the remaining tests (matrices over everything, faults with real processes, deployments, every screen). `npm run
 * test:full` runs both, at full size. `npm test -- orders` runs the test files whose path contains that word. Steps
 * run in parallel, so that no core is idle.
 */
import { spawn } from 'node:child_process';
import { glob } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { readArguments } from '#deploy/errors.ts';
import { projectDir } from '#deploy/settings.ts';
import { ensureChromium, NoChromiumError } from './chromium.ts';
import { eventIn } from './check/events.ts';
import { openProgress } from './check/progress.ts';

interface Step {
  readonly stage: string;
  readonly command: readonly string[];
}

interface Runner extends Step {
  readonly files: string;
}

/**
 * Which tests run: those of `npm test`, the remaining ones, or all. The runners' configurations read it from `TESTS`.
 */
type Selection = 'essential' | 'rest' | 'every';

/**
 * The run counts as hung if nothing finishes for this long, in ms. A test at full size may take a quarter of an hour on
 * a fast machine. Nothing else takes a tenth of these limits.
 */
const hangMs: Readonly<Record<Selection, number>> = {
  essential: 20 * 60_000,
  rest: 20 * 60_000,
  every: 180 * 60_000,
};

/**
 * Skips a file that passed until the file, the tool or its configuration changes. Every installation deletes the cache,
 * so the cache never outlives a version of a plugin.
 */
const cached = (name: string) => [
  ...['--cache', '--cache-strategy', 'content'],
  ...['--cache-location', `node_modules/.cache/${name}.json`],
];

const checks: readonly Step[] = [
  { stage: 'Format', command: ['prettier', '--check', '--log-level=warn', ...cached('prettier'), '.'] },
  {
    stage: 'Types of the pages',
    command: ['astro', 'check', '--tsconfig', 'tsconfig.astro.json', '--minimumSeverity', 'error'],
  },
  {
    stage: 'Lint of pages and syntax',
    command: ['eslint', 'site', 'worker', '--max-warnings=0', ...cached('eslint')],
  },
  // oxlint checks types with TypeScript 7, which cannot read .astro files.
  { stage: 'Types and lint', command: ['oxlint', '.'] },
  {
    stage: 'Imports',
    command: [
      ...['depcruise', '--config', 'dependency-cruiser.config.mjs'],
      ...['worker', 'site', 'deploy', 'dev', 'tests'],
    ],
  },
];

/** Both runners use the built site, so we build it first. */
const siteForTests: Step = {
  stage: 'Site for the tests',
  command: ['node', '--disable-warning=ExperimentalWarning', 'tests/support/build-site.ts'],
};

const runners: readonly Runner[] = [
  {
    stage: 'Tests of the code and the API',
    files: '{deploy,dev,site,tests,worker}/**/*.test.{ts,tsx}',
    command: ['vitest', 'run', '--reporter=./dev/check/vitest-reporter.ts'],
  },
  {
    stage: 'Tests in the browser',
    files: 'tests/browser/*.spec.ts',
    command: ['playwright', 'test', '--reporter=./dev/check/playwright-reporter.ts'],
  },
];

/** No test file has such a name. */
class NoSuchTestError extends Error {}

/** The runners for the files whose path contains one of the words, each with only these files. */
async function runnersNamed(words: readonly string[]): Promise<Runner[]> {
  const named: Runner[] = [];
  let count = 0;
  for (const runner of runners) {
    const files: string[] = [];
    for await (const file of glob(runner.files))
      if (words.some((word) => file.toLowerCase().includes(word.toLowerCase()))) files.push(file);
    count += files.length;
    if (files.length > 0) named.push({ ...runner, command: [...runner.command, ...files.toSorted()] });
  }
  const list = words.join(' or ');
  if (count === 0) throw new NoSuchTestError(`No test file has ${list} in its path.`);
  console.log(
    count === 1
      ? `1 test file has ${list} in its path.`
      : `${String(count)} test files have ${list} in their path.`,
  );
  return named;
}

/** Runs steps, shows their progress, and ends the running ones if the whole run ends early, or hangs. */
function openSteps(selection: Selection, environment: Readonly<Record<string, string>>) {
  const children = new Set<ReturnType<typeof spawn>>();
  const stop = () => {
    for (const { pid } of children) if (pid !== undefined) process.kill(-pid, 'SIGKILL');
  };
  const progress = openProgress(hangMs[selection], stop);
  let brokenSteps = 0;

  async function run({ stage, command }: Step): Promise<boolean> {
    const end = progress.begin(stage);
    const [program = '', ...args] = command;
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
      env: { ...process.env, ...environment },
    });
    children.add(child);
    const failedTests = new Set<string>();
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      createInterface(stream).on('line', (line) => {
        const event = eventIn(line);
        if (event?.type === 'failed') failedTests.add(event.title);
        if (event) progress.take(event);
        else output = `${output}${line}\n`.slice(-20_000);
      });
    const code = await new Promise<number | null>((resolve) => {
      child.on('error', () => resolve(null));
      child.on('close', resolve);
    });
    children.delete(child);
    const isOk = code === 0;
    // Failed tests have already reported what is wrong.
    const isExplained = failedTests.size > 0;
    end(isOk, isExplained ? '' : output);
    if (!isOk && !isExplained) brokenSteps += 1;
    return isOk;
  }

  return {
    progress,
    run,
    stop,
    /** Steps that failed without a failed test: a check, or a runner that broke. */
    broken: () => brokenSteps,
  };
}

/**
 * Runs the selected steps.
 * @returns whether all of them passed
 */
async function check(selection: Selection, words: readonly string[]): Promise<boolean> {
  const tests = words.length === 0 ? runners : await runnersNamed(words);
  const environment = {
    TESTS: words.length === 0 ? selection : 'every',
    // A run's many processes load the same packages. With this cache, they are compiled once.
    NODE_COMPILE_CACHE: join(projectDir, 'node_modules/.cache/node'),
    CHROMIUM_PATH: ensureChromium(),
  };
  const selectedChecks = words.length === 0 && selection !== 'rest' ? checks : [];
  const steps = openSteps(selection, environment);
  const { progress } = steps;
  const end = () => {
    steps.stop();
    process.exit(1);
  };
  process.once('SIGINT', end);
  process.once('SIGTERM', end);

  async function runTests(): Promise<boolean> {
    if (!(await steps.run(siteForTests))) return false;
    const outcomes = await Promise.all(tests.map(steps.run));
    return outcomes.every(Boolean);
  }
  async function runChecks(): Promise<boolean> {
    let isOk = true;
    // The runners run one at a time, because each keeps the machine busy enough.
    for (const step of selectedChecks) isOk = (await steps.run(step)) && isOk;
    return isOk;
  }
  const [areTestsOk, areChecksOk] = await Promise.all([runTests(), runChecks()]);
  progress.close();
  const checksPassed = areChecksOk ? selectedChecks.length : 0;
  const passed = progress.passed() + checksPassed;
  const failed = progress.failed() + steps.broken();
  const isOk = areTestsOk && areChecksOk && failed === 0 && passed > 0;
  console.log(`\n${String(passed)} passed, ${String(Math.max(failed, isOk ? 0 : 1))} failed`);
  return isOk;
}

const { values, positionals } = readArguments({
  allowPositionals: true,
  options: { all: { type: 'boolean', default: false }, full: { type: 'boolean', default: false } },
});
if (values.full) process.env['FULL'] = '1';
const selection: Selection = values.full ? 'every' : values.all ? 'rest' : 'essential';

try {
  process.exit((await check(selection, positionals)) ? 0 : 1);
} catch (error) {
  console.error(error instanceof NoChromiumError || error instanceof NoSuchTestError ? error.message : error);
  process.exit(1);
}
