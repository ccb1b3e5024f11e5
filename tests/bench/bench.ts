/**
 * `npm run bench`: takes every measure of docs/performance.md, or those named on the command line, and prints each as
 * a table with its goals. Figures depend on the machine, so nothing here passes or fails.
 */
import { availableParallelism, cpus, loadavg } from 'node:os';
import { bundle } from './bundle.ts';
import { bytes } from './bytes.ts';
import { customers } from './customers.ts';
import type { Figure, Measure } from './figures.ts';
import { lighthouse } from './lighthouse.ts';
import { media } from './media.ts';
import { money } from './money.ts';
import { orders } from './orders.ts';
import { releases } from './releases.ts';
import { save } from './save.ts';
import { serve } from './serve.ts';
import { signIn } from './sign-in.ts';
import { slow } from './slow.ts';
import { soak } from './soak.ts';
import { start } from './start.ts';
import { uploads } from './uploads.ts';
import { vitals } from './vitals.ts';
import { year } from './year.ts';

const measures: readonly Measure[] = [
  save,
  releases,
  media,
  bundle,
  bytes,
  serve,
  start,
  signIn,
  orders,
  customers,
  uploads,
  money,
  year,
  vitals,
  slow,
  lighthouse,
  soak,
];

function tell({ of, value, goal, met }: Figure): void {
  const verdict = goal === undefined ? '' : `${goal}  ${met ? 'met' : 'MISSED'}`;
  console.log(`| ${of.padEnd(58)} | ${value.padEnd(44)} | ${verdict} |`);
}

// An exit by signal must run what the measures do at exit, as ending their processes.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));

const asked = process.argv.slice(2);
const unknown = asked.filter((name) => !measures.some((measure) => measure.name === name));
if (unknown.length > 0) {
  console.error(
    `There is no measure ${unknown.join(', ')}. There are: ${measures.map(({ name }) => name).join(', ')}.`,
  );
  process.exit(1);
}

console.log(
  `${availableParallelism()} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.version}`,
);
for (const { name, how, take } of measures) {
  if (asked.length > 0 && !asked.includes(name)) continue;
  console.log(`\n## ${name}: ${how}\nload ${loadavg()[0]?.toFixed(1) ?? '?'} as it began\n`);
  try {
    await take(tell);
  } catch (error) {
    console.error(`The measure ${name} could not be taken:`, error);
    process.exitCode = 1;
  }
}
// wrangler's and Chromium's idle handles would keep the process.
process.exit();
