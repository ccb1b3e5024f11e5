/**
 * `npm test`: every check, with what they print; the last line says how many passed and failed. Those that only read
 * the sources run side by side, each on one core; those that run the product have the machine to themselves.
 * `--full` adds the long forms of the security and fault tests.
 */
import { spawn } from 'node:child_process';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { ensureChromium } from './chromium.ts';

interface Counts {
  readonly passed: number;
  readonly failed: number;
}

interface Step {
  readonly name: string;
  readonly command: readonly string[];
  /** Reads how many tests passed and failed; a step without tests counts as one. */
  readonly count?: () => Promise<Counts>;
}

const results = 'test-results';

async function readJson(file: string): Promise<Record<string, unknown>> {
  return JSON.parse(await readFile(`${results}/${file}`, 'utf8')) as Record<string, unknown>;
}

const vitest = (project: string): Step => ({
  name: `tests: ${project}`,
  command: [
    'vitest',
    'run',
    '--project',
    project,
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${results}/${project}.json`,
  ],
  count: async () => {
    const { numPassedTests, numFailedTests } = await readJson(`${project}.json`);
    return { passed: Number(numPassedTests), failed: Number(numFailedTests) };
  },
});

const readers: readonly Step[] = [
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  {
    name: 'types',
    command: ['astro', 'check', '--minimumSeverity', 'error', '--minimumFailingSeverity', 'error'],
  },
  { name: 'lint', command: ['eslint', '.', '--max-warnings=0'] },
];

const runners: readonly Step[] = [
  vitest('unit'),
  vitest('stand-ins'),
  vitest('api'),
  {
    name: 'tests: browser',
    command: ['playwright', 'test'],
    count: async () => {
      const { stats } = (await readJson('browser.json')) as {
        stats: { expected: number; unexpected: number; flaky: number };
      };
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
    },
  },
];

interface Outcome extends Counts {
  readonly isOk: boolean;
}

/** Runs a step. @param isAlone whether it may print as it goes; otherwise all it said comes at its end */
async function run({ name, command, count }: Step, isAlone: boolean): Promise<Outcome> {
  const startedAt = Date.now();
  if (isAlone) console.log(`\n── ${name}`);
  const [program = '', ...args] = command;
  const { promise, resolve } = Promise.withResolvers<number>();
  const child = spawn(program, args, {
    stdio: ['ignore', isAlone ? 'inherit' : 'pipe', isAlone ? 'inherit' : 'pipe'],
    env: { ...process.env, ...(process.argv.includes('--full') && { FULL: '1' }) },
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (said += text));
  child.on('error', () => resolve(1));
  child.on('close', (code) => resolve(code ?? 1));
  const code = await promise;
  if (!isAlone) console.log(`\n── ${name}\n${said.trimEnd()}`);
  const seconds = Math.round((Date.now() - startedAt) / 1_000);
  console.log(`   ${code === 0 ? 'ok' : 'FAILED'} in ${String(seconds)} s`);
  const counts = await count?.().catch(() => undefined);
  return {
    isOk: code === 0,
    passed: counts?.passed ?? (code === 0 ? 1 : 0),
    // A runner that fails without a failed test (a set-up that broke, say) is a failure too.
    failed: code === 0 ? (counts?.failed ?? 0) : Math.max(1, counts?.failed ?? 1),
  };
}

await rm(results, { recursive: true, force: true });
await mkdir(results, { recursive: true });
process.env['CHROMIUM_PATH'] = ensureChromium();
const outcomes = await Promise.all(readers.map((step) => run(step, false)));
for (const step of runners) outcomes.push(await run(step, true));
const sum = (of: keyof Counts) => outcomes.reduce((total, outcome) => total + outcome[of], 0);
const broken = [...readers, ...runners].filter((_, index) => !outcomes[index]?.isOk);
if (broken.length > 0) console.log(`\nFailed: ${broken.map(({ name }) => name).join(', ')}`);
console.log(`\n${String(sum('passed'))} passed, ${String(sum('failed'))} failed`);
process.exit(broken.length === 0 ? 0 : 1);
