/** Asks questions at the terminal. */
import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import type { Questions } from './settings.ts';

/**
 * Whether this is a build on Workers Builds or another CI service. No one watches its output, and its files are
 * deleted afterward.
 */
export const isBuild = (): boolean => Boolean(process.env['CI'] || process.env['WORKERS_CI']);

/** Whether a person can answer. */
export const isInteractive = (): boolean => process.stdin.isTTY && process.stdout.isTTY && !isBuild();

/** Questions at the terminal. Typed secrets are hidden. */
export const terminal: Questions = {
  say: (line) => console.log(line),
  async ask(question, isSecret) {
    let isMuted = false;
    const output = new Writable({
      write(chunk, _encoding, done) {
        if (!isMuted) process.stdout.write(chunk as Uint8Array);
        done();
      },
    });
    const lines = createInterface({ input: process.stdin, output, terminal: true });
    try {
      const answer = lines.question(question);
      isMuted = isSecret;
      return await answer;
    } finally {
      lines.close();
      if (isSecret) console.log();
    }
  },
};

export async function confirm({ ask }: Questions, question: string): Promise<boolean> {
  return /^y(es)?$/i.test((await ask(`${question} (y/N) `, false)).trim());
}
