/** Reports each browser test to `npm test`, and every error outside of the tests. */
import { relative } from 'node:path';
import type {
  FullConfig,
  Reporter,
  Suite,
  TestCase,
  TestError,
  TestResult,
} from 'playwright/types/testReporter';
import { tell } from './events.ts';

const nameOf = ({ location, title }: TestCase) => ({ file: relative(process.cwd(), location.file), title });

export default class PlaywrightReporter implements Reporter {
  onBegin(_: FullConfig, suite: Suite): void {
    tell({ type: 'total', tests: suite.allTests().length });
  }

  onTestBegin(test: TestCase): void {
    tell({ type: 'started', ...nameOf(test) });
  }

  onTestEnd(test: TestCase, { error }: TestResult): void {
    if (test.outcome() === 'expected') tell({ type: 'passed', ...nameOf(test) });
    else tell({ type: 'failed', ...nameOf(test), message: error?.stack ?? error?.message ?? '' });
  }

  onError({ stack, message = '' }: TestError): void {
    tell({
      type: 'failed',
      file: '',
      title: 'an error outside of the browser tests',
      message: stack ?? message,
    });
  }
}
