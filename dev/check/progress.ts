/**
 * Shows how far a run of `npm test` is: each stage as it begins and ends, one line of counts, and failures as they
 * happen. It also watches the run: when nothing has happened for a long time, it names the tests that hang.
 */
import { stripVTControlCharacters } from 'node:util';
import type { TestEvent } from './events.ts';

/** How long nothing may finish before the run counts as hung, in ms. No correct step takes a tenth of it. */
const hangMs = 20 * 60_000;

/** How often the line of counts is printed where it cannot be replaced, in ms. */
const lineEveryMs = 30_000;

const indent = '    ';

/** The beginning of a failure's message, without the frames of packages. */
function summaryOf(message: string): string {
  const lines = stripVTControlCharacters(message)
    .split('\n')
    .filter((line) => !/node_modules|node:internal|^\s*at (?:async )?Promise/.test(line));
  return lines
    .slice(0, 12)
    .map((line) => `${indent}${line}`)
    .join('\n');
}

/** The word that names a file in `npm test -- word`. */
const wordFor = (file: string) => (file.split('/').at(-1) ?? '').replace(/(\.all)?\.(test|spec)\.tsx?$/, '');

export interface Progress {
  readonly passed: () => number;
  readonly failed: () => number;
  /** A stage begins. @returns what ends it: whether it passed, and what it printed if not */
  readonly begin: (stage: string) => (isOk: boolean, output?: string) => void;
  /** A test runner reports. */
  readonly take: (event: TestEvent) => void;
  /** Something failed that is not a test. */
  readonly fail: (title: string, message: string) => void;
  readonly close: () => void;
}

/** @param onHang ends the run */
export function openProgress(onHang: () => void): Progress {
  const isTerminal = process.stdout.isTTY;
  const running = new Map<string, number>();
  const stages = new Map<string, number>();
  let [total, passed, failed] = [0, 0, 0];
  let movedAt = Date.now();

  const counts = () => {
    const failures = failed > 0 ? `, ${String(failed)} failed` : '';
    return `${String(passed)} of ${String(total)} passed${failures} (${[...stages.keys()].join(', ')})`;
  };
  const clearLine = () => isTerminal && process.stdout.write('\r\u001B[K');
  const print = (text: string) => {
    clearLine();
    console.log(text);
  };
  const showCounts = () => {
    if (isTerminal) process.stdout.write(`\r\u001B[K${counts()}`);
    else console.log(`  ${counts()}`);
  };

  function fail(title: string, message: string, file = ''): void {
    failed += 1;
    const again = file === '' ? '' : `\n${indent}Run its file alone: npm test -- ${wordFor(file)}`;
    print(`✗ ${file === '' ? '' : `${file}: `}${title}\n${summaryOf(message)}${again}`);
  }

  function take(event: TestEvent): void {
    movedAt = Date.now();
    if (event.type === 'total') {
      total += event.tests;
      return;
    }
    const name = `${event.file}: ${event.title}`;
    if (event.type === 'started') running.set(name, Date.now());
    else running.delete(name);
    if (event.type === 'passed') passed += 1;
    if (event.type === 'failed') fail(event.title, event.message, event.file);
    if (isTerminal) showCounts();
  }

  function watch(): void {
    if (Date.now() - movedAt < hangMs) return;
    const names = running.size > 0 ? [...running.keys()] : [...stages.keys()];
    fail(
      `Nothing has finished for ${String(hangMs / 60_000)} minutes. Still running:`,
      names.map((name) => `- ${name}`).join('\n'),
    );
    onHang();
  }
  const watching = setInterval(watch, 10_000);
  const showing = setInterval(() => total > 0 && showCounts(), isTerminal ? 1_000 : lineEveryMs);

  return {
    passed: () => passed,
    failed: () => failed,
    begin(stage) {
      const startedAt = Date.now();
      stages.set(stage, startedAt);
      print(`── ${stage} …`);
      return (isOk, output = '') => {
        movedAt = Date.now();
        stages.delete(stage);
        const seconds = String(Math.round((Date.now() - startedAt) / 1_000));
        print(`── ${stage}: ${isOk ? 'ok' : 'FAILED'} in ${seconds} s${isOk ? '' : `\n${output}`}`);
      };
    },
    take,
    fail: (title, message) => {
      fail(title, message);
    },
    close() {
      clearInterval(watching);
      clearInterval(showing);
      clearLine();
    },
  };
}
