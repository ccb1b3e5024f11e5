/**
 * Sums a run of Vitest up for the end of `npm test`: how many tests passed and failed, and what each failure said, of
 * hooks too and of errors that belong to no test. Vitest's own JSON has no word of these.
 */
import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestModule } from 'vitest/node';
import { explain } from './explain.ts';

interface Said {
  readonly message: string;
  readonly stack?: string | undefined;
}

const textOf = ({ message, stack }: Said): string => stack ?? message;

export default class SummaryReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly Said[]): void {
    const failures = unhandled.map((error) => explain('an error outside of the tests', textOf(error)));
    const counts = { passed: 0, failed: 0 };
    for (const module of modules) {
      const file = relative(process.cwd(), module.moduleId);
      for (const error of module.errors()) failures.push(explain(file, textOf(error)));
      for (const suite of module.children.allSuites())
        for (const error of suite.errors())
          failures.push(explain(`${file}: ${suite.fullName}, before or after its tests`, textOf(error)));
      for (const test of module.children.allTests()) {
        const { state, errors } = test.result();
        if (state === 'passed' || state === 'failed') counts[state] += 1;
        if (state === 'failed')
          failures.push(explain(`${file}: ${test.fullName}`, errors[0] && textOf(errors[0])));
      }
    }
    writeFileSync(process.env['TEST_SUMMARY'] ?? '', JSON.stringify({ ...counts, failures }));
  }
}
