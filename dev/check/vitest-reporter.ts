/** Reports each Vitest test to `npm test`, and every error outside the tests. */
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule } from 'vitest/node';
import { tell } from './events.ts';

interface Problem {
  readonly message: string;
  readonly stack?: string | undefined;
  readonly cause?: unknown;
}

/** An error with its causes. Drizzle gives the reason of a failed query only in the cause. */
const explain = ({ message, stack = message, cause }: Problem): string =>
  cause instanceof Object && 'message' in cause ? `${stack}\nCaused by ${explain(cause as Problem)}` : stack;

const fileOf = ({ moduleId }: TestModule) => relative(process.cwd(), moduleId);

const fail = (file: string, title: string, errors: readonly Problem[]) => {
  for (const error of errors.slice(0, 1)) tell({ type: 'failed', file, title, message: explain(error) });
};

export default class VitestReporter implements Reporter {
  onTestModuleCollected(module: TestModule): void {
    tell({ type: 'total', tests: Array.from(module.children.allTests()).length });
  }

  onTestCaseReady(test: TestCase): void {
    tell({ type: 'started', file: fileOf(test.module), title: test.fullName });
  }

  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    const [file, title] = [fileOf(test.module), test.fullName];
    if (state === 'passed') tell({ type: 'passed', file, title });
    if (state === 'failed') fail(file, title, errors);
  }

  onTestModuleEnd(module: TestModule): void {
    fail(fileOf(module), 'before its tests', module.errors());
    for (const suite of module.children.allSuites())
      fail(fileOf(module), `${suite.fullName}, before or after its tests`, suite.errors());
  }

  onTestRunEnd(_: readonly TestModule[], unhandled: readonly Problem[]): void {
    fail('', 'an error outside of the tests', unhandled);
  }
}
