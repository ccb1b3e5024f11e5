/** What a test runner tells `npm test` while it runs: one JSON object a line, on standard output. */
export type TestEvent =
  | { readonly type: 'total'; readonly tests: number }
  | { readonly type: 'started'; readonly file: string; readonly title: string }
  | { readonly type: 'passed'; readonly file: string; readonly title: string }
  | { readonly type: 'failed'; readonly file: string; readonly title: string; readonly message: string };

/** Begins each line with an event, so that other output of the runner is told apart. */
const mark = '@test ';

/** Tells `npm test` what happened. */
export const tell = (event: TestEvent): void =>
  void process.stdout.write(`${mark}${JSON.stringify(event)}\n`);

/** The event in a line of a runner's output, or undefined for any other line. */
export const eventIn = (line: string): TestEvent | undefined =>
  line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as TestEvent) : undefined;
