/**
 * `npm run bench` takes every measurement in docs/performance.md, or those named on the command line. It prints each
 * figure with its goal. Figures depend on the machine, so nothing here passes or fails.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { articles } from './articles.ts';
import { bundle } from './bundle.ts';
import { bytes } from './bytes.ts';
import type { Figure, Measure } from './figures.ts';
import { orders } from './orders.ts';
import { save } from './save.ts';
import { serve } from './serve.ts';
import { signIns } from './sign-ins.ts';
import { vitals } from './vitals.ts';

const measures: readonly Measure[] = [bytes, vitals, serve, save, articles, bundle, orders, signIns];

function tell({ of, value, goal, met }: Figure): void {
  const verdict = goal === undefined ? '' : `${goal}  ${met ? 'met' : 'MISSED'}`;
  console.log(`| ${of.padEnd(58)} | ${value.padEnd(44)} | ${verdict} |`);
}

// An exit by signal must run the exit handlers, which end the processes that a measurement has started.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !measures.some((measure) => measure.name === name));
if (unknown.length > 0) {
  const names = measures.map(({ name }) => name).join(', ');
  console.error(`There is no measure ${unknown.join(', ')}. There are: ${names}.`);
  process.exit(1);
}

console.log(
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}`,
);
for (const { name, how, take } of measures) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n## ${name}: ${how}\nload ${loadavg()[0]?.toFixed(1) ?? '?'} at the start\n`);
  try {
    await take(tell);
  } catch (error) {
    console.error(`The measure ${name} could not be taken:`, error);
    process.exitCode = 1;
  }
}
// The idle handles of wrangler and Chromium would keep the process alive.
process.exit();
