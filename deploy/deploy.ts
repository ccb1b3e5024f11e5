/**
 * `npm run deploy`: asks for the settings that are missing, makes what can be made, applies the migrations, builds,
 * deploys and looks whether the site answers. It can be repeated: a step that has nothing to do does nothing.
 * `-- --dry-run` says what it would do, and needs no account; `-- --yes` answers every question with yes, for builds;
 * `npm run build` stops after the build.
 */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Stripe from 'stripe';
import { revisionPath } from '#contract/history.ts';
import { buildSite } from '#site/renderer/build.ts';
import { openStripe } from '#worker/payments/stripe.ts';
import { confirm, isBuild, isInteractive, terminal } from './console.ts';
import { describeFindings, examineDeployment } from './doctor.ts';
import { prepareDatabase } from './prepare-database.ts';
import {
  askForSettings,
  generateSettings,
  keepSettings,
  problemsOf,
  projectDir,
  readSettings,
  secretsOf,
  settingsFile,
  type Settings,
} from './settings.ts';
import { smokeTest } from './smoke-test.ts';
import {
  doubt,
  ensureEndpoint,
  ensureWalletDomain,
  findEndpoints,
  webhookUrl,
  type EndpointOutcome,
} from './stripe.ts';
import { addressProblem, deployedConfig, readWorkerConfig, type WorkerConfig } from './worker-config.ts';
import { leftOver, listSecrets, removeSecrets } from './worker-secrets.ts';
import { askWrangler, DeployError, runWrangler } from './wrangler.ts';

const isDryRun = process.argv.includes('--dry-run');
const isBuildOnly = process.argv.includes('--build-only');
const saysYes = process.argv.includes('--yes');

/** How long the new version may take to answer at the site's address, in ms; a new domain's certificate takes minutes. */
const smokeLimitMs = 10 * 60_000;

/** Makes sure that wrangler may work in the account, or lets the person sign in. */
async function signIn(): Promise<void> {
  const { code } = await askWrangler(['whoami', '--json']);
  if (code === 0) return;
  if (!isInteractive())
    throw new DeployError('wrangler is not signed in. Set CLOUDFLARE_API_TOKEN, or run: npx wrangler login');
  await runWrangler('login');
}

/** @throws DeployError that names every setting that does not hold */
function check(config: WorkerConfig, settings: Settings): void {
  const problems = problemsOf(settings, { isBeforeDeploy: true });
  const address = settings.SITE_URL && problems.length === 0 && addressProblem(config, settings.SITE_URL);
  if (address) problems.push(address);
  if (problems.length > 0)
    throw new DeployError(
      `The settings do not hold (${settingsFile()}, or the environment; docs/deploy.md names each):\n- ${problems.join('\n- ')}`,
    );
}

const stripeOf = (settings: Settings) =>
  openStripe({
    STRIPE_SECRET_KEY: settings.STRIPE_SECRET_KEY ?? '',
    STRIPE_API_URL: settings.STRIPE_API_URL,
  });

/**
 * Makes the webhook endpoint at Stripe, or brings it up to date, and keeps the secret of a new one.
 * @throws DeployError when Stripe has no endpoint and the environment gives a secret, which each build would put in the place
 *   of a new one's
 */
async function prepareWebhook(
  siteUrl: string,
  settings: Settings,
  inWorker: ReadonlySet<string>,
): Promise<{ readonly settings: Settings; readonly endpoint: EndpointOutcome }> {
  const stripe = stripeOf(settings);
  if (process.env['STRIPE_WEBHOOK_SECRET'] && (await findEndpoints(stripe, siteUrl)).length === 0)
    throw new DeployError(
      `Stripe has no webhook endpoint for ${webhookUrl(siteUrl)}, and the environment gives a STRIPE_WEBHOOK_SECRET, which can be that of none. Take it out of the environment (of the build variables, for a build): the deployment then makes the endpoint and gives the Worker its secret.`,
    );
  const setting = settings.STRIPE_WEBHOOK_SECRET;
  const endpoint = await ensureEndpoint(stripe, siteUrl, setting, inWorker.has('STRIPE_WEBHOOK_SECRET'));
  console.log(`Webhook endpoint at Stripe: ${endpoint.outcome}.`);
  if (endpoint.others.length > 0)
    console.log(
      `Stripe reports to the same address through ${endpoint.others.join(', ')} as well. Delete in the Stripe dashboard (Developers, Webhooks) what you no longer need, three days after its last event: so long Stripe repeats what was refused.`,
    );
  if (endpoint.outcome !== 'made') {
    if (endpoint.isDoubtful) console.log(`Note: ${doubt(endpoint.id)}`);
    return { settings, endpoint };
  }
  const made = { STRIPE_WEBHOOK_SECRET: endpoint.secret };
  await keepSettings(made);
  return { settings: { ...settings, ...made }, endpoint };
}

/**
 * Does what brings a new endpoint's secret to the Worker. Of a build that fails on the way nothing is left, and Stripe
 * tells the secret never again: the endpoint goes too, so that the next build makes another.
 */
async function withEndpoint(
  stripe: Stripe,
  endpoint: EndpointOutcome,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (endpoint.outcome === 'made' && isBuild()) await stripe.webhookEndpoints.del(endpoint.id);
    throw error;
  }
}

/** Does something with a folder that is gone afterwards. */
async function inTemporaryFolder<T>(work: (dir: string) => Promise<T>): Promise<T> {
  const dir = await mkdtemp(join(tmpdir(), 'deploy-'));
  try {
    return await work(dir);
  } finally {
    await rm(dir, { recursive: true, force: true });
  }
}

/** Uploads Worker, files and settings. Secrets pass through a file that only this user may read. */
async function upload(config: WorkerConfig, settings: Settings, buildDir: string): Promise<void> {
  const secrets = join(buildDir, 'secrets.json');
  const configFile = join(buildDir, 'wrangler.json');
  await writeFile(secrets, JSON.stringify(secretsOf(settings)), { mode: 0o600 });
  await writeFile(configFile, JSON.stringify(deployedConfig(config, settings, buildDir)));
  await runWrangler('deploy', '-c', configFile, '--secrets-file', secrets);
}

/** Removes the secrets that the settings no longer name, once a person, or `--yes`, agrees. */
async function tidySecrets({ name }: WorkerConfig, settings: Settings): Promise<void> {
  const names = leftOver(await listSecrets(name), settings);
  if (names.length === 0) return;
  const list = names.join(', ');
  if (
    saysYes ||
    (isInteractive() && (await confirm(terminal, `The settings no longer name ${list}. Remove?`)))
  ) {
    await removeSecrets(name, names);
    console.log(`Removed from the Worker: ${list}.`);
  } else console.log(`Still in the Worker, though the settings no longer name them: ${list}.`);
}

/** Builds site and Worker as a deployment would, from a new database on this machine, and uploads nothing. */
async function rehearse(config: WorkerConfig, settings: Settings, dir: string): Promise<void> {
  const databaseUrl = `file:${join(dir, 'database.sqlite')}`;
  await prepareDatabase(databaseUrl, undefined);
  await buildSite({ buildDir: dir, siteUrl: settings.SITE_URL ?? 'https://www.example.com', databaseUrl });
  const configFile = join(dir, 'wrangler.json');
  await writeFile(configFile, JSON.stringify(deployedConfig(config, settings, dir)));
  await runWrangler('deploy', '--dry-run', '--outdir', join(dir, 'bundle'), '-c', configFile);
}

/** Says what a deployment would do, and does what of it needs no account. */
async function describe(config: WorkerConfig, settings: Settings): Promise<void> {
  const problems = problemsOf(settings, { isBeforeDeploy: true });
  const address = settings.SITE_URL ?? 'SITE_URL';
  console.log('A deployment would:');
  console.log(`1. check the settings: ${problems.length === 0 ? 'they hold' : 'they do not hold yet'}`);
  for (const problem of problems) console.log(`   - ${problem}`);
  console.log(`2. make the webhook endpoint at Stripe for ${address}, and register its host for wallets`);
  console.log('3. apply the migrations of migrations/ to the database of TURSO_DATABASE_URL');
  console.log(`4. build the site from that database, for ${address}`);
  console.log(
    `5. upload the Worker with its files, settings and secrets, reachable at ${address}, near ${settings.DATABASE_REGION ?? 'each visitor'}; a rehearsal from a new local database:`,
  );
  await inTemporaryFolder((dir) => rehearse(config, settings, dir));
  console.log('6. offer to remove secrets that the settings no longer name');
  console.log(`7. ask ${address} for ${revisionPath} and / until both answer`);
  console.log('Nothing was uploaded.');
}

/** @throws when a page does not build or the database does not answer */
async function build(
  { SITE_URL, TURSO_DATABASE_URL, TURSO_AUTH_TOKEN }: Settings,
  buildDir: string,
): Promise<void> {
  if (!SITE_URL || !TURSO_DATABASE_URL)
    throw new DeployError(
      'SITE_URL and TURSO_DATABASE_URL must be set; docs/deploy.md says where to find them.',
    );
  console.log('Applying migrations …');
  const isNew = await prepareDatabase(TURSO_DATABASE_URL, TURSO_AUTH_TOKEN);
  if (isNew) console.log('The database was empty; it holds the three packages now.');
  console.log('Building the site …');
  const buildId = await buildSite({
    buildDir,
    siteUrl: SITE_URL,
    databaseUrl: TURSO_DATABASE_URL,
    databaseToken: TURSO_AUTH_TOKEN,
  });
  console.log(`Built ${buildId}.`);
}

async function deploy(): Promise<void> {
  const config = await readWorkerConfig();
  const given = await readSettings();
  if (isDryRun) return describe(config, given);
  if (isBuildOnly) return build(given, projectDir);

  const asked = isInteractive() ? await askForSettings(given, terminal) : given;
  check(config, asked);
  await signIn();
  const siteUrl = asked.SITE_URL ?? '';
  const inWorker = await listSecrets(config.name);
  // Of a build nothing is left but what it uploads; a token that nobody can read would be of no use.
  const generated = await generateSettings(asked, inWorker, isBuild() ? ['SETUP_TOKEN'] : []);
  const { settings, endpoint } = await prepareWebhook(siteUrl, generated, inWorker);
  await withEndpoint(stripeOf(settings), endpoint, () =>
    inTemporaryFolder(async (dir) => {
      await build(settings, dir);
      console.log('Deploying …');
      await upload(config, settings, dir);
    }),
  );
  await tidySecrets(config, settings);
  console.log('Looking whether the site answers …');
  const cache = await smokeTest(siteUrl, { limitMs: smokeLimitMs, pauseMs: 1_000 });
  const wallets = await ensureWalletDomain(stripeOf(settings), siteUrl);
  console.log(`Wallets at Stripe: ${wallets.domain_name}, Apple Pay ${wallets.apple_pay.status}.`);
  console.log(describeFindings(await examineDeployment(settings)));
  console.log(`Live: ${siteUrl} (Cf-Cache-Status of / asked for twice: ${cache})`);
  if (!inWorker.has('SETUP_TOKEN') && settings.SETUP_TOKEN)
    console.log(`First run: open ${siteUrl}/add-user with the SETUP_TOKEN of ${settingsFile()}.`);
}

try {
  await deploy();
} catch (error) {
  console.error(error instanceof DeployError ? error.message : error);
  process.exit(1);
}
