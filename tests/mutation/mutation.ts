/**
 * `npm run mutation` changes the code of `worker/payments` and `worker/publishing` in one place at a time and runs the
 * tests that reach it. A change that no test notices (a survivor) means a missing test, or code that does nothing. `npm
 * run mutation -- worker/payments/settle.ts` checks only the named files. With `--sample=10`, it checks a random tenth
 * of their functions, because checking all of them takes hours.
 *
 * Stryker works in a copy with its own packages, so that people who only start the product do not have to install them.
 */
import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, existsSync, globSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

/** Exact versions, like the product's own packages. */
const packages = ['@stryker-mutator/core@10.1.1', '@stryker-mutator/vitest-runner@10.1.1'];
const everyFile = ['worker/payments/*.ts', 'worker/publishing/*.ts'];
/** Tables and types contain no decisions. */
const excluded = ['worker/**/*.test.ts', 'worker/**/schema.ts', 'worker/**/*.d.ts'];

const projectDir = join(import.meta.dirname, '../..');

/**
 * Copies the files that Git tracks or would track.
 * @returns the folder of the copy
 */
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
    const install = ['install', '--no-save', '--ignore-scripts', ...packages];
    execFileSync('npm', install, { cwd: copy, stdio: 'inherit' });
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

/**
 * Chooses random top-level statements.
 * @param percent how many of them
 * @returns their lines, in the format of Stryker's `--mutate`
 */
function chooseStatements(files: readonly string[], percent: number): string[] {
  return globSync([...files], { cwd: projectDir, exclude: excluded }).flatMap((file) => {
    const lines = readFileSync(join(projectDir, file), 'utf8').split('\n');
    const starts = lines.flatMap((line, index) =>
      /^(?:export|const|async|function)\b/.test(line) ? [index] : [],
    );
    return starts.flatMap((start, which) => {
      const end = starts[which + 1] ?? lines.length;
      return Math.random() * 100 < percent ? [`${file}:${start + 1}-${end}`] : [];
    });
  });
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { sample: { type: 'string' } },
});
const files = positionals.length > 0 ? positionals : everyFile;
const chosen =
  values.sample === undefined
    ? [...files, ...excluded.map((pattern) => `!${pattern}`)]
    : chooseStatements(files, Number(values.sample));
const mutate = ['--mutate', chosen.join(',')];
const copy = prepareCopy();
// Some tests need the built site and the seeded database, as in `npm test`.
execFileSync(process.execPath, ['--disable-warning=ExperimentalWarning', 'tests/support/build-site.ts'], {
  cwd: copy,
  stdio: 'inherit',
});
const stryker = spawn(
  process.execPath,
  ['node_modules/.bin/stryker', 'run', 'tests/mutation/stryker.config.mjs', ...mutate],
  { cwd: copy, stdio: 'inherit', env: { ...process.env, MUTATION_OF: files.join() } },
);
process.on('SIGINT', () => stryker.kill('SIGINT'));
const [code] = (await once(stryker, 'exit')) as [number | null];
process.exitCode = code ?? 1;
