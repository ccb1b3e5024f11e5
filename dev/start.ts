/**
 * `npm start` runs one local copy of the whole product until Ctrl-C. README.md lists the environment variables
 * that it reads.
 */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { withDatabase } from '#deploy/database.ts';
import { projectDir } from '#deploy/settings.ts';
import { callAddress } from '#contract/call-address.ts';
import { linkTo } from '#contract/screens.ts';
import { cronTriggers } from '#worker/operations/jobs.ts';
import { isLimitName, isSettingName } from '#worker/settings.ts';
import { startSystem, type System } from './system/system.ts';
import { readOptions, StartError, type StartOptions } from './system/settings.ts';

/** How often the scheduled handler runs, in ms. Wrangler fires no cron trigger locally. */
const tickMs = 10_000;
/** How often the hourly and nightly jobs of production run, in ms. */
const slowTickMs = 3_600_000;

const endings = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** Settings from `.dev.vars`. Only `npm start` reads them, so tests never reach a real service. */
async function readDevVars(): Promise<Record<string, string>> {
  const file = join(projectDir, '.dev.vars');
  if (!existsSync(file)) return {};
  // Node's type allows undefined values, which a file cannot contain.
  const vars = parseEnv(await readFile(file, 'utf8')) as Record<string, string>;
  const unknown = Object.keys(vars).filter((name) => !isSettingName(name) && !isLimitName(name));
  if (unknown.length > 0) console.warn(`.dev.vars contains unknown settings: ${unknown.join(', ')}.`);
  return vars;
}

/** Runs until a signal arrives, the parent process is gone, or the Worker exits. */
async function runUntilEnd(system: System): Promise<number> {
  const { promise, resolve } = Promise.withResolvers<number>();
  for (const signal of endings) {
    process.off(signal, endEarly);
    // Ctrl-C arrives twice, once through npm. The second must not interrupt the shutdown.
    process.on(signal, () => resolve(0));
  }
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) resolve(0);
  }, 1_000);
  const ticks = setInterval(() => void system.worker.tick(), tickMs);
  const slowTicks = setInterval(() => {
    for (const cron of [cronTriggers.hourly, cronTriggers.nightly]) void system.worker.tick(cron);
  }, slowTickMs);
  void system.worker.ended.then(() => resolve(1));
  const code = await promise;
  clearInterval(watch);
  clearInterval(ticks);
  clearInterval(slowTicks);
  if (code !== 0) console.error('The Worker stopped unexpectedly; its log is worker.log in the data folder.');
  return code;
}

/** Whether the first administrator has yet to be created, regardless of the data folder's seed. */
async function isSetupNeeded({ url }: System): Promise<boolean> {
  const answer = await fetch(url + callAddress('GET /setup'));
  return (await answer.json<{ readonly needed: boolean }>()).needed;
}

async function hasAccount({ database: { url, authToken } }: System, email: string): Promise<boolean> {
  const statement = { sql: 'SELECT 1 FROM accounts WHERE email = lower(?)', args: [email] };
  const { rows } = await withDatabase({ TURSO_DATABASE_URL: url, TURSO_AUTH_TOKEN: authToken }, (client) =>
    client.execute(statement),
  );
  return rows.length > 0;
}

/** How to sign in, or how to set up the site. */
async function waysIn({ adminEmail, adminPassword }: StartOptions, system: System): Promise<string[]> {
  if (await isSetupNeeded(system))
    return [
      `Setup token    ${system.setupToken}  (open ${system.url}${linkTo('members')})`,
      ...(system.stripe ? [`Payment key    ${system.publishableKey}  (for the next step)`] : []),
    ];
  if (!(await hasAccount(system, adminEmail)))
    return [`Log in         ${system.url}/login  (as an administrator of this data folder)`];
  return [
    `Log in         ${system.url}/login`,
    `Administrator  ${adminEmail}`,
    `Password       ${adminPassword}${system.seeded ? '' : '  (unless you have changed it)'}`,
  ];
}

/** The URLs to open and what to type there, printed once everything runs. */
async function whatToLookAt(options: StartOptions, system: System): Promise<string[]> {
  const testCard = '4242 4242 4242 4242, any future date, any CVC; 4000 0000 0000 0002 is declined';
  return [
    '',
    `Site           ${system.url}`,
    ...(await waysIn(options, system)),
    `Mailbox        ${system.url}/dev/mailbox  (every email that the site sends)`,
    ...(system.stripe
      ? [
          `Stripe         ${system.url}/dev/stripe  (refunds, disputes and deliveries, as in its dashboard)`,
          `Test card      ${testCard}`,
        ]
      : [`Payment key    your own Stripe account's: enter it at ${system.url}${linkTo('addPaymentKey')}`]),
    'Press Ctrl-C to stop.',
  ];
}

// Until everything runs, a signal ends this process and its children immediately.
const endEarly = () => process.exit(1);
for (const signal of endings) process.once(signal, endEarly);

try {
  const options = readOptions(process.env);
  const system = await startSystem({
    ...options,
    real: await readDevVars(),
    offersWallet: true,
    say: console.log,
  });
  for (const line of await whatToLookAt(options, system)) console.log(line);
  console.log(`Ready ${system.url}`);
  const code = await runUntilEnd(system);
  console.log('Stopping…');
  await system.stop();
  process.exit(code);
} catch (error) {
  console.error(error instanceof StartError ? error.message : error);
  process.exit(1);
}
