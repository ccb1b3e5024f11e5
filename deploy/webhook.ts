/**
 * The webhook endpoint of a deployment. It is created or updated before the upload, because the upload contains its
 * secret.
 */
import Stripe from 'stripe';
import { randomBytes } from 'node:crypto';
import { isBuild } from './console.ts';
import { saveSettings, type Settings } from './settings.ts';
import { doubt, ensureEndpoint, findEndpoints, webhookUrl, type EndpointOutcome } from './stripe.ts';
import { DeployError, messageOf } from './errors.ts';

interface PreparedWebhook {
  readonly settings: Settings;
  /** Undefined if Stripe refused. The deployment continues without it. */
  readonly endpoint: EndpointOutcome | undefined;
}

/** @throws DeployError, or Stripe's error */
async function prepareEndpoint(
  stripe: Stripe,
  siteUrl: string,
  settings: Settings,
  inWorker: ReadonlySet<string>,
): Promise<PreparedWebhook> {
  if (process.env['STRIPE_WEBHOOK_SECRET'] && (await findEndpoints(stripe, siteUrl)).length === 0)
    throw new DeployError(
      `Stripe has no webhook endpoint for ${webhookUrl(siteUrl)}, so the STRIPE_WEBHOOK_SECRET of the environment belongs to no endpoint. Remove it from the environment (for a build, from the build variables). The deployment then creates the endpoint and gives its secret to the Worker.`,
    );
  const setting = settings.STRIPE_WEBHOOK_SECRET;
  const endpoint = await ensureEndpoint(stripe, siteUrl, setting, inWorker.has('STRIPE_WEBHOOK_SECRET'));
  console.log(`Webhook endpoint at Stripe: ${endpoint.outcome}.`);
  if (endpoint.others.length > 0)
    console.log(
      `Stripe has other endpoints for the same address: ${endpoint.others.join(', ')}. Delete the ones you no longer need in the Stripe dashboard (Developers, Webhooks), three days after their last event: Stripe repeats rejected events for that long.`,
    );
  if (endpoint.outcome !== 'created') {
    if (endpoint.isDoubtful) console.log(`Note: ${doubt(endpoint.id)}`);
    return { settings, endpoint };
  }
  const made = { STRIPE_WEBHOOK_SECRET: endpoint.secret };
  await saveSettings(made);
  return { settings: { ...settings, ...made }, endpoint };
}

/**
 * Creates or updates the webhook endpoint at Stripe, and saves the secret of a new one. Stripe may refuse, because the
 * account has the maximum number of endpoints or a restricted key lacks a permission. The deployment then continues
 * without an endpoint, and the site polls Stripe instead, with a delay. A Worker without a secret gets one that no one
 * knows.
 * @throws DeployError Stripe does not answer; or it has no endpoint while the environment provides a secret. Each build
 *   would then replace the new endpoint's secret with that one
 */
export async function prepareWebhook(
  stripe: Stripe,
  siteUrl: string,
  settings: Settings,
  inWorker: ReadonlySet<string>,
): Promise<PreparedWebhook> {
  try {
    return await prepareEndpoint(stripe, siteUrl, settings, inWorker);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const isRefused =
      error instanceof Stripe.errors.StripePermissionError ||
      error instanceof Stripe.errors.StripeInvalidRequestError;
    if (!isRefused) throw new DeployError(`Stripe rejected the request: ${messageOf(error)}`);
    console.log(
      `WARNING: there is no webhook endpoint at Stripe for this deployment: ${messageOf(error)}\n  Payments still settle, some minutes later. Delete an unused endpoint (Stripe dashboard, Developers, Webhooks), or give the key write access to Webhook Endpoints. Then deploy again.`,
    );
    if (settings.STRIPE_WEBHOOK_SECRET || inWorker.has('STRIPE_WEBHOOK_SECRET'))
      return { settings, endpoint: undefined };
    const STRIPE_WEBHOOK_SECRET = `whsec_${randomBytes(24).toString('hex')}`;
    return { settings: { ...settings, STRIPE_WEBHOOK_SECRET }, endpoint: undefined };
  }
}

/**
 * Runs the steps that upload a new endpoint's secret to the Worker. If a CI build fails before that, the secret is
 * lost, and Stripe never reveals it again. In that case, this deletes the endpoint, and the next build creates another.
 */
export async function withEndpoint<T>(
  stripe: Stripe,
  endpoint: EndpointOutcome | undefined,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (endpoint?.outcome === 'created' && isBuild()) await stripe.webhookEndpoints.del(endpoint.id);
    throw error;
  }
}
