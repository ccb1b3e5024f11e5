/** What failed, in few lines, for the end of `npm test`. */
import { stripVTControlCharacters } from 'node:util';

const linesOf = (said: string) =>
  stripVTControlCharacters(said)
    .split('\n')
    .filter((line) => !line.includes('/node_modules/'));

/** A failed test's name and the beginning of what it said. */
export const explain = (name: string, said = ''): string =>
  [`✗ ${name}`, ...linesOf(said).slice(0, 10)].join('\n');
