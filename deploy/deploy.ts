/**
 * `npm run deploy`: asks for missing settings, creates what it can, applies the migrations, builds, deploys, and checks
 * that the site answers. It is safe to run again: completed steps do nothing. `-- --dry-run` prints what it would do
 * and needs no account. `-- --yes` answers every question with yes, for CI builds.
 */
import { drizzle } from 'drizzle-orm/libsql';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildSite } from '#site/renderer/build.ts';
import { isSetupNeeded } from '#worker/accounts/setup.ts';
import { openStripe } from '#worker/payments/stripe.ts';
import { isOnWorkersDev, isTrial, trialText } from '#worker/settings.ts';
import { openAccount, type Account } from './account.ts';
import { findZone, ownCloudflareApi } from './cloudflare-api.ts';
import { confirm, isBuild, isInteractive, terminal } from './console.ts';
import { withDatabase } from './database.ts';
import { lookUp } from './dns.ts';
import { examineDeployment } from './doctor.ts';
import { allByHand, offerSwitches } from './domain-switches.ts';
import { describeFindings } from './finding.ts';
import { findConflict, runPreflightChecks, type DeployContext } from './preflight.ts';
import { mailLeft, offerSending } from './mail-domain.ts';
import { savePaymentKey } from './payment-key.ts';
import { firstContentFor } from './first-content.ts';
import { prepareDatabase } from './prepare-database.ts';
import {
  askForSettings,
  generateSettings,
  readSettings,
  secretsOf,
  settingsFile,
  suggestionFor,
  type Settings,
} from './settings.ts';
import { smokeTest } from './smoke-test.ts';
import { endStep, isOffered } from './steps.ts';
import { ensureWalletDomain } from './stripe.ts';
import { inTemporaryFolder } from './temporary-folder.ts';
import { DeployError, readArguments, runMain, tryStep } from './errors.ts';
import { offerTurnstile } from './turnstile.ts';
import { makeDatabase, offerRegion, reuseDatabase, signInToTurso } from './turso.ts';
import { prepareWebhook, withEndpoint } from './webhook.ts';
import {
  checkSettings,
  deployedConfig,
  isAddress,
  readWorkerConfig,
  settingProblemsFor,
  type WorkerConfig,
} from './worker-config.ts';
import { leftOver, listSecrets, removeSecrets } from './worker-secrets.ts';
import { runWrangler, uploadBuild } from './wrangler.ts';

const {
  values: { 'dry-run': isDryRun, yes: saysYes },
} = readArguments({
  options: {
    'dry-run': { type: 'boolean' },
    yes: { type: 'boolean' },
  },
});

/** How long the new version may take to respond at the site's URL, in ms. A new domain's certificate takes minutes. */
const smokeLimitMs = 10 * 60_000;

const stripeOf = (settings: Settings) =>
  openStripe({
    STRIPE_SECRET_KEY: settings.STRIPE_SECRET_KEY ?? '',
    STRIPE_API_URL: settings.STRIPE_API_URL,
  });

/** Removes secrets that are no longer in the settings, if the person, or `--yes`, agrees. */
async function removeUnusedSecrets({ name }: WorkerConfig, settings: Settings): Promise<void> {
  const names = leftOver(await listSecrets(name), settings);
  if (names.length === 0) return;
  const list = names.join(', ');
  if (
    saysYes ||
    (isInteractive() &&
      (await confirm(terminal, `The settings no longer name ${list}. Remove from the Worker?`)))
  ) {
    await removeSecrets(name, names);
    console.log(`Removed from the Worker: ${list}.`);
  } else console.log(`Still in the Worker, though the settings no longer name them: ${list}.`);
}

/** Builds the site and the Worker as a deployment does, from a new local database, but uploads nothing. */
async function dryRun(config: WorkerConfig, settings: Settings, dir: string): Promise<void> {
  const databaseUrl = `file:${join(dir, 'database.sqlite')}`;
  await prepareDatabase(databaseUrl, undefined, { content: firstContentFor(settings) });
  const siteUrl = isAddress(settings.SITE_URL) ? settings.SITE_URL : 'https://www.example.com';
  await buildSite({ buildDir: dir, siteUrl, databaseUrl });
  const configFile = join(dir, 'wrangler.json');
  await writeFile(
    configFile,
    JSON.stringify(deployedConfig(config, { ...settings, SITE_URL: siteUrl }, dir)),
  );
  await runWrangler('deploy', '--dry-run', '--outdir', join(dir, 'bundle'), '-c', configFile);
}

/** Prints what a deployment would do, and runs the steps that need no account. */
async function describe(config: WorkerConfig, settings: Settings): Promise<void> {
  const problems = settingProblemsFor(config, settings);
  const address = settings.SITE_URL ?? 'SITE_URL';
  console.log('A deployment would:');
  console.log(`1. check the settings: ${problems.length === 0 ? 'all good' : 'some are missing or wrong'}`);
  for (const problem of problems) console.log(`   - ${problem}`);
  console.log(
    `2. check, before it changes anything, the Cloudflare account (plan, R2 and Images, by uploading and deleting an empty Worker; domain; where ${address} points now), the database and the Stripe keys`,
  );
  console.log(
    `3. create the webhook endpoint at Stripe for ${address}, and offer to create what else is missing`,
  );
  console.log('4. apply the migrations in migrations/ to the database at TURSO_DATABASE_URL');
  console.log(`5. build the site from that database, for ${address}`);
  console.log(
    `6. upload the Worker with its files, settings and secrets, so that it serves ${address}, near ${settings.DATABASE_REGION ?? 'each visitor'}. A test build from a new local database:`,
  );
  await inTemporaryFolder((dir) => dryRun(config, settings, dir));
  if (isTrial(settings)) console.log(`   Note: ${trialText}`);
  console.log('7. offer to remove secrets that the settings no longer name');
  console.log('8. offer to set up email and the settings of the domain');
  console.log(`9. wait until ${address} and its database respond`);
  console.log('10. register the host for Apple Pay and Google Pay at Stripe');
  console.log('Nothing was uploaded.');
}

/** @throws if a page does not build or the database does not answer */
async function build(settings: Settings, buildDir: string): Promise<void> {
  const { SITE_URL = '', TURSO_DATABASE_URL = '', TURSO_AUTH_TOKEN } = settings;
  console.log('Applying migrations…');
  const isNew = await prepareDatabase(TURSO_DATABASE_URL, TURSO_AUTH_TOKEN, {
    content: firstContentFor(settings),
  });
  if (isNew) console.log('The database was empty. It now has the three packages.');
  console.log('Building the site…');
  const buildId = await buildSite({
    buildDir,
    siteUrl: SITE_URL,
    databaseUrl: TURSO_DATABASE_URL,
    databaseToken: TURSO_AUTH_TOKEN,
  });
  console.log(`Built ${buildId}.`);
}

/** Asks for the settings that a person types. Returns them, and whether to create the database. */
async function askEverything(
  given: Settings,
  account: Account,
): Promise<{ readonly asked: Settings; readonly makesDatabase: boolean }> {
  const isFirst = !given.TURSO_DATABASE_URL;
  const usesTurso =
    isFirst && (await confirm(terminal, "Create the database now, with Turso's command line?"));
  if (usesTurso) await signInToTurso();
  const reused = usesTurso ? await reuseDatabase(given, terminal) : undefined;
  const makesDatabase = usesTurso && !reused;
  const typed = await askForSettings(reused ?? given, terminal, {
    suggest: (name, settings) => suggestionFor(name, settings, account.email),
    except: makesDatabase ? ['TURSO_DATABASE_URL', 'TURSO_AUTH_TOKEN'] : [],
  });
  const asked = isFirst && !usesTurso ? await offerRegion(typed, terminal) : typed;
  return { asked, makesDatabase };
}

/**
 * Checks everything before the deployment changes anything.
 * @throws DeployError the deployment would fail later, or would replace what the host points to without anyone's
 *   consent
 */
async function preflight(context: DeployContext): Promise<void> {
  console.log('Checking the accounts before anything changes, which takes about half a minute…');
  const findings = await runPreflightChecks(context);
  console.log(describeFindings(findings));
  if (Object.values(findings).some(({ state }) => state === 'todo'))
    throw new DeployError('Nothing was changed. Fix what is marked TO DO, then deploy again.');
  const conflict = await tryStep(() => findConflict(context), {
    advice: 'If the host points somewhere else, this deployment replaces that.',
  });
  if (conflict === undefined || saysYes) return;
  const agrees = isInteractive() && (await confirm(terminal, `${conflict} Point it to this site instead?`));
  if (!agrees)
    throw new DeployError(`${conflict} Nothing was changed. To replace that: npm run deploy -- --yes`);
}

/** What is left to do if the site has no Turnstile widget. */
const turnstileLeft =
  'Turnstile: nothing keeps bots off the contact form. Put TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY into the settings (docs/deploy.md, Settings of your domain), then deploy again.';

/** The settings after a step that may have created something. */
interface Prepared {
  readonly settings: Settings;
  /** What is left for the person to do, if anything. */
  readonly left: string | undefined;
}

/**
 * Offers to create the Turnstile widget. Repeats the offer in each deployment until the widget exists or the person
 * says no.
 */
async function addTurnstile(settings: Settings): Promise<Prepared> {
  if (settings.TURNSTILE_SITE_KEY || !isOffered(settings, 'turnstile')) return { settings, left: undefined };
  let changed = settings;
  const left = await tryStep(
    async () => {
      const keys = await offerTurnstile(settings, terminal);
      changed = keys ? { ...settings, ...keys } : await endStep(settings, 'turnstile');
      return keys ? undefined : turnstileLeft;
    },
    { result: turnstileLeft },
  );
  return { settings: changed, left };
}

/**
 * Offers to correct the domain's settings. Repeats the offer in each deployment until they are right or the person says
 * no.
 * @returns what is left for the person to do, if anything
 */
async function offerDomain({ account, cloudflare, settings }: DeployContext): Promise<string | undefined> {
  const { hostname } = new URL(settings.SITE_URL ?? '');
  if (isOnWorkersDev(hostname) || !isOffered(settings, 'domain')) return undefined;
  return tryStep(
    async () => {
      const zone = cloudflare && (await findZone(cloudflare, account.id, hostname));
      if (!cloudflare || !zone) return allByHand(hostname);
      const { left, isToRepeat } = await offerSwitches(cloudflare, zone, terminal);
      if (!isToRepeat) await endStep(settings, 'domain');
      return left;
    },
    { result: allByHand(hostname) },
  );
}

/**
 * Offers the steps at Cloudflare that need the uploaded Worker.
 * @returns what is left for the person to do, one sentence each
 */
async function offerRest(context: DeployContext): Promise<readonly string[]> {
  const { settings } = context;
  const mail = await tryStep(() => offerSending(settings, terminal, lookUp), { result: mailLeft(settings) });
  const domain = await offerDomain(context);
  return [mail, domain].filter((left) => left !== undefined);
}

/**
 * Waits for the site. If it does not respond, sets the exit code and continues with the steps that do not need the
 * site.
 */
async function awaitSite(siteUrl: string): Promise<void> {
  console.log('Waiting for the site to respond; a new domain may take a few minutes…');
  const answers = await tryStep(
    async () => {
      await smokeTest(siteUrl, { limitMs: smokeLimitMs, pauseMs: 1_000 });
      return true;
    },
    {
      advice:
        'Open the address on another device. Deploy again when it responds; nothing is lost until then.',
    },
  );
  if (!answers) process.exitCode = 1;
}

/** Registers the host for wallets, checks everything, and prints what is left. */
async function report({ settings, stripe }: DeployContext, left: readonly string[]): Promise<void> {
  const siteUrl = settings.SITE_URL ?? '';
  const wallets = await tryStep(() => ensureWalletDomain(stripe, siteUrl), {
    advice:
      'Cards work, but Apple Pay and Google Pay do not yet. Register the host in the Stripe dashboard (Settings, Payment method domains), or give the key write access to Payment method domains and deploy again.',
  });
  if (wallets)
    console.log(`Wallets at Stripe: ${wallets.domain_name}, Apple Pay ${wallets.apple_pay.status}.`);
  const findings = await tryStep(() => examineDeployment(settings), {
    advice: 'Run npm run doctor to check again.',
  });
  if (findings) console.log(describeFindings(findings));
  if (left.length > 0) console.log(`Left for you to do:\n${left.map((one) => `- ${one}`).join('\n')}`);
  console.log(`${process.exitCode ? 'Uploaded, but not responding yet' : 'Live'}: ${siteUrl}`);
  const isSetUp = await tryStep(
    async () => !(await withDatabase(settings, (client) => isSetupNeeded(drizzle(client)))),
    { advice: `If the site has no administrator yet, create one at ${siteUrl}/add-user.` },
  );
  if (isSetUp === false && settings.SETUP_TOKEN)
    console.log(`Next: open ${siteUrl}/add-user and enter the SETUP_TOKEN from ${settingsFile()}.`);
}

/** Runs the steps after the upload. If one fails, the deployment stays in place, and the person sees what to do. */
async function afterUpload(
  config: WorkerConfig,
  context: DeployContext,
  leftBefore: readonly string[],
): Promise<void> {
  const { settings } = context;
  await tryStep(() => removeUnusedSecrets(config, settings), {
    advice: 'The site does not need them. Deploy again to remove them.',
  });
  // Asks before the wait, so that no one has to wait for the questions.
  const left = isInteractive() ? await offerRest(context) : [];
  await awaitSite(settings.SITE_URL ?? '');
  await report(context, [...left, ...leftBefore]);
}

/**
 * Creates the database and the Turnstile widget if the person wants them, builds, and uploads.
 * @returns the settings, including those it created, and what is left for the person to do, if anything
 */
async function release(config: WorkerConfig, given: Settings, makesDatabase: boolean): Promise<Prepared> {
  const withDatabase = makesDatabase ? await makeDatabase(given, terminal) : given;
  const prepared = isInteractive()
    ? await addTurnstile(withDatabase)
    : { settings: withDatabase, left: undefined };
  await inTemporaryFolder(async (dir) => {
    await build(prepared.settings, dir);
    if (await savePaymentKey(prepared.settings)) console.log('The site now has the publishable key.');
    console.log('Uploading…');
    const { settings } = prepared;
    await uploadBuild(dir, deployedConfig(config, settings, dir), secretsOf(settings), 'deploy');
  });
  return prepared;
}

async function deploy(): Promise<void> {
  const config = await readWorkerConfig();
  const given = await readSettings();
  if (isDryRun) return describe(config, given);

  if (!isInteractive()) checkSettings(config, given);
  const account = await openAccount(given);
  const { asked, makesDatabase } = isInteractive()
    ? await askEverything(given, account)
    : { asked: given, makesDatabase: false };
  checkSettings(config, asked, makesDatabase);
  const inWorker = await listSecrets(config.name);
  const cloudflare = await ownCloudflareApi();
  const stripe = stripeOf(asked);
  const context = { account, cloudflare, config, lookUp, settings: asked, stripe };
  await preflight(context);

  // A CI build keeps only what it uploads, so a token that no one can read would be useless.
  const generated = await generateSettings(asked, inWorker, isBuild() ? ['SETUP_TOKEN'] : []);
  const siteUrl = asked.SITE_URL ?? '';
  const { settings: withWebhook, endpoint } = await prepareWebhook(stripe, siteUrl, generated, inWorker);
  const { settings, left } = await withEndpoint(stripe, endpoint, () =>
    release(config, withWebhook, makesDatabase),
  );
  await afterUpload(config, { ...context, settings }, left === undefined ? [] : [left]);
}

await runMain(deploy);
