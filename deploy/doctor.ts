/**
 * `npm run doctor`: checks the live site and its services with the deployment's settings. Prints one line per check: it
 * passed, or what to do. `-- --json` prints JSON. The exit code is 1 if there is something to do.
 */
import { openStripe } from '#worker/payments/stripe.ts';
import { examine } from './checks.ts';
import { withDatabase } from './database.ts';
import { lookUp } from './dns.ts';
import { describeFindings } from './finding.ts';
import { sendingFrom } from './mail-domain.ts';
import { readSettings, type Settings } from './settings.ts';
import { readArguments, runMain } from './errors.ts';
import { checkSettings, readWorkerConfig } from './worker-config.ts';

/** The timeout of a request, in ms. */
const answerLimitMs = 20_000;

/** Checks the site and its services. @param settings that `checkSettings` accepts */
export async function examineDeployment(settings: Settings): Promise<Awaited<ReturnType<typeof examine>>> {
  const { SITE_URL = '', STRIPE_SECRET_KEY = '', STRIPE_API_URL } = settings;
  const ask = (base: string, path: string, init: RequestInit = {}) =>
    fetch(new URL(path, base), { signal: AbortSignal.timeout(answerLimitMs), ...init });
  return withDatabase(settings, (database) =>
    examine({
      siteUrl: SITE_URL,
      settings,
      database,
      stripe: openStripe({ STRIPE_SECRET_KEY, STRIPE_API_URL }),
      fetch: (path, init) => ask(SITE_URL, path, init),
      fetchInsecure: (path) => ask(SITE_URL.replace(/^https:/, 'http:'), path, { redirect: 'manual' }),
      sendingFrom,
      lookUp,
      now: Date.now,
    }),
  );
}

if (import.meta.main)
  await runMain(async () => {
    const { values } = readArguments({ options: { json: { type: 'boolean' } } });
    const settings = await readSettings();
    checkSettings(await readWorkerConfig(), settings);
    const findings = await examineDeployment(settings);
    console.log(values.json ? JSON.stringify(findings, null, 2) : describeFindings(findings));
    process.exitCode = Object.values(findings).some(({ state }) => state === 'todo') ? 1 : 0;
  });
