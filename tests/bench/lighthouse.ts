/**
 * Lighthouse's own scores. It brings 170 MB of packages, so it is no dependency of the project: the measure installs it
 * once into `node_modules/.cache`, and does without it where that cannot be done.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { chromiumArgs, ensureChromium } from '../../dev/chromium.ts';
import type { Measure } from './figures.ts';
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
  categories: z.record(
    z.string(),
    z.object({ title: z.string(), score: z.number().nullable(), displayValue: z.string().optional() }),
  ),
  audits: z.record(
    z.string(),
    z.object({ title: z.string(), score: z.number().nullable(), displayValue: z.string().optional() }),
  ),
});

/** On a busy machine Chromium now and then loses the beginning of its trace, and Lighthouse fails: that is tried again. */
const attempts = 3;

async function audit(address: string): Promise<z.infer<typeof report>> {
  for (let attempt = 1; ; attempt += 1) {
    const audited = await run(
      process.execPath,
      [
        ...[program, address, '--output=json', '--quiet', '--no-enable-error-reporting'],
        `--chrome-flags=--headless ${chromiumArgs.join(' ')}`,
      ],
      { env: { ...process.env, CHROME_PATH: ensureChromium() }, maxBuffer: 64 * 1024 * 1024 },
    ).catch((error: unknown) => (error instanceof Error ? error : new Error('Lighthouse failed.')));
    if (!(audited instanceof Error)) return report.parse(JSON.parse(audited.stdout));
    if (attempt === attempts)
      throw new Error(`Lighthouse could not audit ${address}: ${audited.message.slice(0, 400)}`);
  }
}

const percent = (score: number | null) => (score === null ? 0 : Math.round(score * 100));

export const lighthouse: Measure = {
  name: 'lighthouse',
  how: `Lighthouse ${version}, mobile profile, simulated throttling`,
  take: async (tell) => {
    if (!(await isInstalled())) {
      tell({ of: 'Lighthouse', value: 'not installed, and npm cannot reach its registry' });
      return;
    }
    await withSite(async (url) => {
      for (const path of measuredPages) {
        const { categories, audits } = await audit(url + path);
        for (const { title, score } of Object.values(categories))
          tell({
            of: `${path} ${title}`,
            value: String(percent(score)),
            goal: '100',
            met: percent(score) === 100,
          });
        for (const name of ['largest-contentful-paint', 'total-blocking-time'])
          tell({ of: `${path} ${name}`, value: audits[name]?.displayValue ?? 'not told' });
        const failed = Object.values(audits).filter(({ score }) => score !== null && score < 0.9);
        if (failed.length > 0)
          tell({ of: `${path} below 90`, value: failed.map(({ title }) => title).join('; ') });
      }
    });
  },
};
