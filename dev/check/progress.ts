/**
 * Shows the progress of `npm test`: each stage as it begins and ends, one line of counts, and failures as they happen.
 * Also watches the run: when nothing has happened for a long time, it names the tests that hang.
 */
import { stripVTControlCharacters } from 'node:util';
import type { TestEvent } from './events.ts';

/** If nothing finishes for this long, in ms, the line of counts names the running tests. */
const quietMs = 60_000;

/** How often the line of counts is printed if it cannot be updated in place, in ms. */
const lineEveryMs = 30_000;

const indent = '    ';

/** The first lines of a text, indented. */
const beginningOf = (lines: readonly string[], most: number) =>
  lines
    .slice(0, most)
    .map((line) => `${indent}${line}`)
    .join('\n');

/** The beginning of a failure's message, without the frames of packages. */
const summaryOf = (message: string) =>
  beginningOf(
    stripVTControlCharacters(message)
      .split('\n')
      .filter((line) => !/node_modules|node:internal|^\s*at (?:async )?Promise/.test(line)),
    12,
  );

/** The word that selects a file in `npm test -- word`. */
const wordFor = (file: string) => (file.split('/').at(-1) ?? '').replace(/(\.all)?\.(test|spec)\.tsx?$/, '');

interface Failure {
  readonly title: string;
  readonly message: string;
  readonly file?: string;
  readonly page?: string;
}

function describeFailure({ title, message, file = '', page = '' }: Failure): string {
  const lines = [`✗ ${file === '' ? '' : `${file}: `}${title}`, summaryOf(message)];
  if (page !== '') lines.push(`${indent}The page contained:`, beginningOf(page.split('\n'), 60));
  if (file !== '') lines.push(`${indent}Run its file alone: npm test -- ${wordFor(file)}`);
  return lines.join('\n');
}

export interface Progress {
  readonly passed: () => number;
  readonly failed: () => number;
  /**
   * Begins a stage.
   * @returns a function that ends it, given whether it passed and, if not, what it printed
   */
  readonly begin: (stage: string) => (isOk: boolean, output?: string) => void;
  readonly take: (event: TestEvent) => void;
  readonly close: () => void;
}

/** Prints lines and, below them, one line of counts that is updated in place in a terminal. */
function openScreen() {
  const isTerminal = process.stdout.isTTY;
  const clear = () => isTerminal && process.stdout.write('\r\u001B[K');
  return {
    isTerminal,
    clear,
    print(text: string) {
      clear();
      console.log(text);
    },
    showCounts(text: string) {
      // A line that wraps could not be updated in place.
      if (isTerminal) process.stdout.write(`\r\u001B[K${text.slice(0, process.stdout.columns - 1)}`);
      else console.log(`  ${text}`);
    },
  };
}

/**
 * Runs `watch` and `show` at intervals.
 * @returns a function that ends both
 */
function startTimers(watch: () => void, show: () => void, showEveryMs: number): () => void {
  const timers = [setInterval(watch, 10_000), setInterval(show, showEveryMs)];
  return () => timers.forEach(clearInterval);
}

/**
 * @param hangMs the run counts as hung if nothing finishes for this long, in ms
 * @param onHang ends the run
 */
export function openProgress(hangMs: number, onHang: () => void): Progress {
  const screen = openScreen();
  // Vitest sometimes reports the start of a test after its end.
  const [started, ended] = [new Set<string>(), new Set<string>()];
  const running = () => [...started].filter((name) => !ended.has(name));
  const stages = new Set<string>();
  let [total, passed, failed, movedAt] = [0, 0, 0, Date.now()];

  function showCounts(): void {
    if (total === 0) return;
    const failures = failed > 0 ? `, ${String(failed)} failed` : '';
    const names = Date.now() - movedAt > quietMs && running().length > 0 ? running() : stages;
    screen.showCounts(`${String(passed)} of ${String(total)} passed${failures} (${[...names].join(', ')})`);
  }

  function fail(failure: Failure): void {
    failed += 1;
    screen.print(describeFailure(failure));
  }

  function take(event: TestEvent): void {
    movedAt = Date.now();
    if (event.type === 'total') {
      total += event.tests;
      return;
    }
    const name = `${event.file}: ${event.title}`;
    (event.type === 'started' ? started : ended).add(name);
    if (event.type === 'passed') passed += 1;
    if (event.type === 'failed') fail(event);
    if (screen.isTerminal) showCounts();
  }

  function watch(): void {
    if (Date.now() - movedAt < hangMs) return;
    const names = running().length > 0 ? running() : stages;
    fail({
      title: `Nothing has finished for ${String(hangMs / 60_000)} minutes. Still running:`,
      message: Array.from(names, (name) => `- ${name}`).join('\n'),
    });
    onHang();
  }
  const stopTimers = startTimers(watch, showCounts, screen.isTerminal ? 1_000 : lineEveryMs);

  function begin(stage: string): (isOk: boolean, output?: string) => void {
    const startedAt = Date.now();
    stages.add(stage);
    screen.print(`── ${stage} …`);
    return (isOk, output = '') => {
      movedAt = Date.now();
      stages.delete(stage);
      const seconds = String(Math.round((Date.now() - startedAt) / 1_000));
      screen.print(`── ${stage}: ${isOk ? 'ok' : 'FAILED'} in ${seconds} s${isOk ? '' : `\n${output}`}`);
    };
  }

  return {
    passed: () => passed,
    failed: () => failed,
    begin,
    take,
    close() {
      stopTimers();
      screen.clear();
    },
  };
}
