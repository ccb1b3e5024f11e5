/** Reports each browser test to `npm test`, and every error outside the tests. */
import { readFileSync } from 'node:fs';
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

/**
 * What the page contained when a test failed, in the form for screen readers, without the options of selects; empty if
 * unknown.
 */
function pageOf({ attachments }: TestResult): string {
  const { path } = attachments.find(({ name }) => name === 'error-context') ?? {};
  const [, page = ''] =
    /```yaml\n([^]*?)```/.exec(path === undefined ? '' : readFileSync(path, 'utf8')) ?? [];
  return page.replaceAll(/^ *- option .*\n/gm, '').trimEnd();
}

export default class PlaywrightReporter implements Reporter {
  onBegin(_: FullConfig, suite: Suite): void {
    tell({ type: 'total', tests: suite.allTests().length });
  }

  onTestBegin(test: TestCase): void {
    tell({ type: 'started', ...nameOf(test) });
  }

  onTestEnd(test: TestCase, result: TestResult): void {
    const { error } = result;
    if (test.outcome() === 'expected') tell({ type: 'passed', ...nameOf(test) });
    else
      tell({
        type: 'failed',
        ...nameOf(test),
        message: error?.stack ?? error?.message ?? '',
        page: pageOf(result),
      });
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
