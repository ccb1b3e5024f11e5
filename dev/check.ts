/**
 * `npm test`: every check, one after the other, with what they print; the last line says how many passed and failed.
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

const steps: readonly Step[] = [
  { name: 'format', command: ['prettier', '--check', '--log-level=warn', '.'] },
  {
    name: 'types',
    command: ['astro', 'check', '--minimumSeverity', 'error', '--minimumFailingSeverity', 'error'],
  },
  { name: 'lint', command: ['eslint', '.', '--max-warnings=0'] },
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

function run([program = '', ...args]: readonly string[]): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  const env = { ...process.env, ...(process.argv.includes('--full') && { FULL: '1' }) };
  const child = spawn(program, args, { stdio: ['ignore', 'inherit', 'inherit'], env });
  child.on('error', () => resolve(1));
  child.on('exit', (code) => resolve(code ?? 1));
  return promise;
}

await rm(results, { recursive: true, force: true });
await mkdir(results, { recursive: true });
process.env['CHROMIUM_PATH'] = ensureChromium();
let passed = 0;
let failed = 0;
const broken: string[] = [];
for (const step of steps) {
  console.log(`\n── ${step.name}`);
  const startedAt = Date.now();
  const code = await run(step.command);
  const counts = await step.count?.().catch(() => undefined);
  passed += counts?.passed ?? (code === 0 ? 1 : 0);
  // A runner that fails without a failed test (a set-up that broke, say) is a failure too.
  failed += code === 0 ? (counts?.failed ?? 0) : Math.max(1, counts?.failed ?? 1);
  if (code !== 0) broken.push(step.name);
  console.log(
    `   ${code === 0 ? 'ok' : 'FAILED'} in ${String(Math.round((Date.now() - startedAt) / 1_000))} s`,
  );
}
if (broken.length > 0) console.log(`\nFailed: ${broken.join(', ')}`);
console.log(`\n${String(passed)} passed, ${String(failed)} failed`);
process.exit(failed === 0 ? 0 : 1);
