/**
 * `npm run mutation`: changes the code of `worker/payments` and `worker/publishing` in one place at a time and runs the tests
 * that reach it; a change that no test notices (a survivor) is a test that is missing, or code that does nothing.
 * `npm run mutation -- worker/payments/settle.ts` looks at some files, `--every 20` tries one change of twenty, always the same,
 * and `--every 20 --from 7` others.
 *
 * Stryker works in a copy with packages of its own, so that nobody who starts the product has to install them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

/** Exact, as the product's own packages are. */
const packages = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
const everyFile = ['worker/payments/*.ts', 'worker/publishing/*.ts'];
/** Tables and types: nothing in them is decided. */
const leftOut = ['!worker/**/*.test.ts', '!worker/**/schema.ts', '!worker/**/*.d.ts'];

const projectDir = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  options: { every: { type: 'string', default: '1' }, from: { type: 'string', default: '0' } },
  allowPositionals: true,
});

/** A copy of the files that git knows, or would. @returns its folder */
function prepareCopy(): string {
  const lock = readFileSync(join(projectDir, 'package-lock.json'));
  const hash = createHash('sha256').update(lock).update(packages.join()).digest('hex');
  const copy = join(tmpdir(), `mutation-${hash.slice(0, 12)}`);
  if (!existsSync(join(copy, 'node_modules/.bin/stryker'))) {
    rmSync(copy, { recursive: true, force: true });
    mkdirSync(copy);
    for (const file of ['package.json', 'package-lock.json', '.npmrc'])
      cpSync(join(projectDir, file), join(copy, file));
    console.log(`Installing into ${copy}, once …`);
    execFileSync('npm', ['install', '--no-save', '--ignore-scripts', ...packages], {
      cwd: copy,
      stdio: 'inherit',
    });
  }
  for (const folder of ['worker', 'tests', 'dev', 'deploy', 'site', 'migrations'])
    rmSync(join(copy, folder), { recursive: true, force: true });
  const list = ['ls-files', '--cached', '--others', '--exclude-standard', '--deduplicate'];
  for (const file of execFileSync('git', list, { cwd: projectDir, encoding: 'utf8' }).trim().split('\n')) {
    if (!existsSync(join(projectDir, file))) continue;
    mkdirSync(dirname(join(copy, file)), { recursive: true });
    cpSync(join(projectDir, file), join(copy, file));
  }
  return copy;
}

interface Tried {
  readonly fileName: string;
  readonly status: 'Killed' | 'Survived' | 'Timeout' | 'NoCoverage';
}

/** A line a file, and their sum: what was tried, and what became of it. */
function tellScores(log: string): void {
  const tried = existsSync(log)
    ? readFileSync(log, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Tried)
    : [];
  const files = Map.groupBy(tried, ({ fileName }) => `${basename(dirname(fileName))}/${basename(fileName)}`);
  console.log('| file | tried | noticed | by a time-out | survived | in no test | score |');
  console.log('| --- | --: | --: | --: | --: | --: | --: |');
  for (const [file, mutants] of [...files, ['all', tried] as const]) {
    const count = (status: Tried['status']) => mutants.filter((mutant) => mutant.status === status).length;
    const [killed, late, survived, none] = [
      count('Killed'),
      count('Timeout'),
      count('Survived'),
      count('NoCoverage'),
    ];
    const score = Math.round((100 * (killed + late)) / Math.max(1, mutants.length));
    console.log(
      `| ${[file, mutants.length, killed, late, survived, none, `${String(score)} %`].join(' | ')} |`,
    );
  }
}

const copy = prepareCopy();
const wanted = positionals.length > 0 ? positionals : everyFile;
const log = join(copy, 'tried.jsonl');
rmSync(log, { force: true });
const stryker = spawn(
  process.execPath,
  [
    'node_modules/.bin/stryker',
    'run',
    'tests/mutation/stryker.config.mjs',
    '--mutate',
    [...wanted, ...leftOut].join(','),
  ],
  {
    cwd: copy,
    stdio: 'inherit',
    env: {
      ...process.env,
      MUTATION_EVERY: values.every,
      MUTATION_FROM: values.from,
      MUTATION_LOG: log,
      MUTATION_OF: wanted.join(),
    },
  },
);
process.on('SIGINT', () => stryker.kill('SIGINT'));
await once(stryker, 'exit');
tellScores(log);
