/**
 * Lighthouse's own scores. It brings 170 MB of packages, so it is no dependency of the project: the measure installs it
 * once into `node_modules/.cache`, and does without it where that cannot be done.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import * as z from 'zod';
import { chromiumArgs, ensureChromium } from '#dev/chromium.ts';
import { barePath, trustEdge } from './edge.ts';
import { median, ms, type Measure } from './figures.ts';
import { measuredPages, withSite } from './site.ts';

const version = '13.5.0';
const home = join(import.meta.dirname, '../../node_modules/.cache/lighthouse', version);
const program = join(home, 'node_modules/lighthouse/cli/index.js');
const run = promisify(execFile);

async function isInstalled(): Promise<boolean> {
  if (existsSync(program)) return true;
  console.log(`Installing Lighthouse ${version} (once) …`);
  await mkdir(home, { recursive: true });
  const options = ['--prefix', home, '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await run('npm', ['install', ...options, `lighthouse@${version}`]).catch(() => undefined);
  return existsSync(program);
}

const report = z.object({
  categories: z.record(z.string(), z.object({ title: z.string(), score: z.number().nullable() })),
  audits: z.record(
    z.string(),
    z.object({ title: z.string(), score: z.number().nullable(), numericValue: z.number().optional() }),
  ),
});
type Report = z.infer<typeof report>;

/** On a busy machine Chromium now and then loses the beginning of its trace, and Lighthouse fails: that is tried again. */
const attempts = 3;

async function audit(address: string): Promise<Report> {
  for (let attempt = 1; ; attempt += 1) {
    const audited = await run(
      process.execPath,
      [
        ...[program, address, '--output=json', '--quiet', '--no-enable-error-reporting'],
        `--chrome-flags=--headless ${[...chromiumArgs, trustEdge].join(' ')}`,
      ],
      { env: { ...process.env, CHROME_PATH: ensureChromium() }, maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: unknown) => (error instanceof Error ? error : new Error('Lighthouse failed.')));
    if (!(audited instanceof Error)) return report.parse(JSON.parse(audited.stdout));
    if (attempt === attempts)
      throw new Error(`Lighthouse could not audit ${address}: ${audited.message.slice(0, 400)}`);
  }
}

/** Audits of each page: its times are medians, its scores those of the worst. */
const visits = 3;

const percent = (score: number | null | undefined) => Math.round((score ?? 0) * 100);

/** The times that Lighthouse computes for its mobile profile, in ms. */
const times = [
  { audit: 'largest-contentful-paint', of: 'largest contentful paint', goal: 900 },
  { audit: 'total-blocking-time', of: 'blocking time', goal: 1 },
] as const;

async function auditOften(address: string): Promise<Report[]> {
  const reports: Report[] = [];
  while (reports.length < visits) reports.push(await audit(address));
  return reports;
}

export const lighthouse: Measure = {
  name: 'lighthouse',
  how: `Lighthouse ${version}, mobile profile, simulated throttling; ${visits} audits a page: worst scores, median times`,
  take: async (tell) => {
    if (!(await isInstalled())) {
      tell({ of: 'Lighthouse', value: 'not installed, and npm cannot reach its registry' });
      return;
    }
    await withSite(async (url) => {
      const tellTimes = (path: string, reports: readonly Report[]) => {
        for (const { audit: name, of, goal } of times) {
          const taken = median(reports.map(({ audits }) => audits[name]?.numericValue ?? Number.NaN));
          tell({
            of: `${path} ${of}`,
            value: ms(taken),
            goal: goal === 1 ? '0' : `< ${ms(goal)}`,
            met: taken < goal,
          });
        }
      };
      for (const path of measuredPages) {
        const reports = await auditOften(url + path);
        for (const [name, { title }] of Object.entries(reports[0]?.categories ?? {})) {
          const worst = Math.min(...reports.map(({ categories }) => percent(categories[name]?.score)));
          tell({ of: `${path} ${title}`, value: String(worst), goal: '100', met: worst === 100 });
        }
        tellTimes(path, reports);
        const poor = reports.flatMap(({ audits }) =>
          Object.values(audits).filter(({ score }) => score !== null && score < 0.9),
        );
        if (poor.length > 0)
          tell({ of: `${path} below 90`, value: [...new Set(poor.map(({ title }) => title))].join('; ') });
      }
      tellTimes('a page with one heading and nothing else:', await auditOften(url + barePath));
    });
  },
};
