/**
 * `npm test`: every check, with what they print; the last line says how many passed and failed. They run beside one
 * another, so that no core is idle while one of them waits; a machine that has too little memory runs browser tests last.
 * `--full` adds the long forms of the security and fault tests. `npm test -- orders` runs the test files alone whose
 * path has that word in it.
 */
import { spawn } from 'node:child_process';
import { glob, mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { projectDir } from '#deploy/worker-config.ts';
import { ensureChromium, NoChromiumError } from './chromium.ts';
import { explain } from './explain.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
  /** What each failed test said, to stand at the end, where it is found. */
  readonly failures?: readonly string[];
}

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  readonly environment?: Readonly<Record<string, string>>;
  /** Reads how many tests passed and failed; a step without tests counts as one. */
  readonly count?: () => Promise<Counts>;
}

const {
  values: { full: isFull },
  positionals: named,
} = parseArgs({ allowPositionals: true, options: { full: { type: 'boolean', default: false } } });

/** A step that runs tests. */
interface Runner extends Step {
  /** Which files hold them. */
  readonly files: string;
}

const results = 'test-results';

const readJson = async (file: string): Promise<unknown> =>
  JSON.parse(await readFile(`${results}/${file}`, 'utf8'));

/** What Playwright's JSON reporter writes: files hold groups of tests, and these hold others. */
interface PlaywrightSuite {
  readonly title: string;
  readonly suites?: readonly PlaywrightSuite[];
  readonly specs: readonly {
    readonly title: string;
    readonly ok: boolean;
    readonly tests: readonly {
      readonly results: readonly { readonly error?: { readonly message?: string } }[];
    }[];
  }[];
}

const failuresIn = ({ title, suites = [], specs }: PlaywrightSuite): string[] => [
  ...specs
    .filter(({ ok }) => !ok)
    .map((spec) => explain(`${title}: ${spec.title}`, spec.tests[0]?.results.at(-1)?.error?.message)),
  ...suites.flatMap(failuresIn),
];

/**
 * A file that has passed is not read again until it, the tool or its configuration changes. The cache goes with every
 * installation, so that it knows of no other version of a plugin.
 */
const withCache = (name: string) => [
  ...['--cache', '--cache-strategy', 'content'],
  ...['--cache-location', `node_modules/.cache/${name}.json`],
];

const readers: readonly Step[] = [
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', ...withCache('prettier'), '.'] },
  {
    name: 'types of the pages',
    command: ['astro', 'check', '--tsconfig', 'tsconfig.astro.json', '--minimumSeverity', 'error'],
  },
  // The native compiler reads no .astro files, and all others several times faster; on two cores one thread does least.
  { name: 'types', command: ['node', 'node_modules/typescript-7/bin/tsc', '--singleThreaded'] },
  { name: 'lint', command: ['eslint', '.', '--max-warnings=0'] },
];

/** What all tests share is made before them: two that find none would make it twice, in one place. */
const siteForAll: Step = { name: 'site for the tests', command: ['node', 'tests/support/build-site.ts'] };

const browserTests = 'tests: browser';

const runners: readonly Runner[] = [
  {
    // In one run, so that no core is idle while one of them ends.
    name: 'tests: unit, stand-ins, API and faults',
    files: '{worker,site,dev,tests}/**/*.test.{ts,tsx}',
    command: ['vitest', 'run', '--reporter=default', '--reporter=./dev/vitest-reporter.ts'],
    environment: { TEST_SUMMARY: `${results}/vitest.json` },
    count: async () => (await readJson('vitest.json')) as Counts,
  },
  {
    name: browserTests,
    files: 'tests/browser/*.spec.ts',
    command: ['playwright', 'test'],
    count: async () => {
      const { stats, suites, errors } = (await readJson('browser.json')) as {
        stats: { expected: number; unexpected: number; flaky: number };
        suites: readonly PlaywrightSuite[];
        errors: readonly { message?: string }[];
      };
      return {
        passed: stats.expected + stats.flaky,
        failed: stats.unexpected,
        failures: [
          ...errors.map(({ message }) => explain('the browser tests as a whole', message)),
          ...suites.flatMap(failuresIn),
        ],
      };
    },
  },
];

interface Outcome extends Counts {
  readonly name: string;
  readonly isOk: boolean;
}

/** The many processes of a run read the same packages: they are compiled once. */
const compiled = { NODE_COMPILE_CACHE: join(projectDir, 'node_modules/.cache/node') };

/** Keeps what a step says until it is its turn, and prints it as it comes from then on. */
function speaker(turn: Promise<unknown>): (text: string) => void {
  let kept: string | undefined = '';
  void turn.then(() => {
    process.stdout.write(kept ?? '');
    kept = undefined;
  });
  return (text) => {
    if (kept === undefined) process.stdout.write(text);
    else kept += text;
  };
}

/** Runs a step. @param turn from when on it prints as it goes; otherwise all it said comes at its end */
async function run({ name, command, environment, count }: Step, turn?: Promise<unknown>): Promise<Outcome> {
  const startedAt = Date.now();
  const ended = Promise.withResolvers<undefined>();
  const hear = speaker(turn ?? ended.promise);
  hear(`\n── ${name}\n`);
  const [program = '', ...args] = command;
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      ...compiled,
      ...(process.stdout.isTTY && { FORCE_COLOR: '1' }),
      ...environment,
      ...(isFull && { FULL: '1' }),
    },
  });
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', hear);
  child.on('error', () => resolve(1));
  child.on('close', (code) => resolve(code ?? 1));
  const code = await promise;
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  hear(`   ${code === 0 ? 'ok' : 'FAILED'} in ${String(seconds)} s\n`);
  const counts = await count?.().catch(() => undefined);
  ended.resolve(undefined);
  await turn;
  return {
    name,
    isOk: code === 0,
    passed: counts?.passed ?? (code === 0 ? 1 : 0),
    // A runner that fails without a failed test (a set-up that broke, say) is a failure too.
    failed: code === 0 ? (counts?.failed ?? 0) : Math.max(1, counts?.failed ?? 1),
    failures: counts?.failures ?? [],
  };
}

/** Runs steps one after the other, which takes the least of a machine that has other work. */
async function runInTurn(steps: readonly Step[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const step of steps) outcomes.push(await run(step));
  return outcomes;
}

/** More than the whole run takes at its peak, in bytes. */
const memoryForAll = 12 * 1024 ** 3;

/**
 * Runs the tests beside one another, and says of one after the other what they say; browser tests last and by themselves where
 * there is too little memory. @param reading what ends with the checks that run beside them
 */
async function runTests(tests: readonly Step[], reading: Promise<unknown>): Promise<Outcome[]> {
  const running: Promise<Outcome>[] = [];
  if (tests.length > 1) running.push(run(siteForAll, Promise.resolve()));
  const made = await Promise.all(running);
  if (made.some(({ isOk }) => !isOk)) return made;
  const isRoomy = process.availableMemory() >= memoryForAll;
  for (const step of tests) {
    if (step.name === browserTests && !isRoomy) await Promise.all([reading, ...running]);
    running.push(run(step, Promise.all(running)));
  }
  return Promise.all(running);
}

/** Nothing is named so. */
class NoSuchTestError extends Error {}

/** The steps with test files whose path has one of the words in it, each with these files alone. */
async function stepsNamed(words: readonly string[]): Promise<Step[]> {
  const steps: Step[] = [];
  for (const step of runners) {
    const meant: string[] = [];
    for await (const file of glob(step.files))
      if (words.some((word) => file.toLowerCase().includes(word.toLowerCase()))) meant.push(file);
    if (meant.length > 0) steps.push({ ...step, command: [...step.command, ...meant.toSorted()] });
  }
  return steps;
}

/** Runs what is asked for. @returns whether all of it passed */
async function check(words: readonly string[]): Promise<boolean> {
  const tests = words.length === 0 ? runners : await stepsNamed(words);
  if (tests.length === 0) throw new NoSuchTestError(`No test file has ${words.join(' or ')} in its path.`);
  process.env['CHROMIUM_PATH'] = ensureChromium();
  await rm(results, { recursive: true, force: true });
  await mkdir(results, { recursive: true });
  const reads = words.length === 0 ? readers : [];
  if (reads.length > 0)
    console.log(`Checking ${reads.map(({ name }) => name).join(', ')} beside the tests …`);
  const reading = runInTurn(reads);
  const outcomes = await runTests(tests, reading);
  outcomes.push(...(await reading));
  for (const failure of outcomes.flatMap(({ failures = [] }) => failures)) console.log(`\n${failure}`);
  const sum = (of: 'passed' | 'failed') => outcomes.reduce((total, outcome) => total + outcome[of], 0);
  const broken = outcomes.filter(({ isOk }) => !isOk);
  if (broken.length > 0) console.log(`\nFailed: ${broken.map(({ name }) => name).join(', ')}`);
  console.log(`\n${String(sum('passed'))} passed, ${String(sum('failed'))} failed`);
  return broken.length === 0;
}

try {
  process.exit((await check(named)) ? 0 : 1);
} catch (error) {
  console.error(error instanceof NoChromiumError || error instanceof NoSuchTestError ? error.message : error);
  process.exit(1);
}
