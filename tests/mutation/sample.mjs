// @ts-check
/**
 * Stryker's plugins for `npm run mutation`: one mutant of so many, from one on, always the same ones, and each told the moment it was
 * tried, so that a run that is broken off has told something.
 */
import { appendFileSync } from 'node:fs';

const every = Number(process.env['MUTATION_EVERY'] ?? 1);
const first = Number(process.env['MUTATION_FROM'] ?? 0);

/** @typedef {{ readonly id: string }} Mutant */

const sample = () => ({
  init: () => Promise.resolve(),
  /** @param {Mutant[]} mutants */
  check: (mutants) =>
    Promise.resolve(
      Object.fromEntries(
        mutants.map(({ id }) => [
          id,
          Number(id) % every === first
            ? { status: 'passed' }
            : { status: 'compileError', reason: 'It is not in the sample.' },
        ]),
      ),
    ),
  /** @param {Mutant[]} mutants */
  group: (mutants) => Promise.resolve([mutants.map(({ id }) => id)]),
});
sample.inject = /** @type {const} */ ([]);

const tell = () => ({
  /** @param {{ status: string }} mutant */
  onMutantTested: (mutant) => {
    // What fails outside of a test, as where the books are compared after the last one, was noticed too.
    const status = mutant.status === 'RuntimeError' ? 'Killed' : mutant.status;
    if (/^(Killed|Survived|Timeout|NoCoverage)$/.test(status))
      appendFileSync(process.env['MUTATION_LOG'] ?? '', `${JSON.stringify({ ...mutant, status })}\n`);
  },
});
tell.inject = /** @type {const} */ ([]);

export const strykerPlugins = [
  { kind: 'Checker', name: 'sample', factory: sample },
  { kind: 'Reporter', name: 'tell', factory: tell },
];
