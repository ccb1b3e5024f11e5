/** What a test runner reports to `npm test` while it runs: one JSON object per line, on standard output. */
export type TestEvent =
  | { readonly type: 'total'; readonly tests: number }
  | { readonly type: 'started'; readonly file: string; readonly title: string }
  | { readonly type: 'passed'; readonly file: string; readonly title: string }
  | {
      readonly type: 'failed';
      readonly file: string;
      readonly title: string;
      readonly message: string;
      /** For a browser test, what the page contained. */
      readonly page?: string;
    };

/** Begins each line that contains an event, to distinguish it from other output of the runner. */
const mark = '@test ';

/** Reports an event to `npm test`. */
export const tell = (event: TestEvent): void =>
  void process.stdout.write(`${mark}${JSON.stringify(event)}\n`);

/** Reads the event in a line of a runner's output; undefined for any other line. */
export const eventIn = (line: string): TestEvent | undefined =>
  line.startsWith(mark) ? (JSON.parse(line.slice(mark.length)) as TestEvent) : undefined;
