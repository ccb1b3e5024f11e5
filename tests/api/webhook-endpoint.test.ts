/** A deployment leaves a webhook endpoint at Stripe whose secret the site knows. */
import Stripe from 'stripe';
import { expect, test } from 'vitest';
import { ensureEndpoint, ensureWalletDomain, findEndpoints, webhookUrl } from '#deploy/stripe.ts';
import { startTestEmulator } from '#dev/stripe/testing.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';

const siteUrl = 'https://www.agency.example';

/** A Stripe account, and deployments that do or do not know the secret. */
async function openAccount() {
  const { stripe } = await startTestEmulator();
  return {
    deploy: (setting?: string, isInWorker = false) => ensureEndpoint(stripe, siteUrl, setting, isInWorker),
    /** Creates an endpoint in Stripe's dashboard. */
    makeByHand: () =>
      stripe.webhookEndpoints.create({ url: webhookUrl(siteUrl), enabled_events: [...webhookEvents] }),
    ids: async () => (await findEndpoints(stripe, siteUrl)).map(({ id }) => id),
  };
}

/** @throws if none was created */
const made = (outcome: Awaited<ReturnType<typeof ensureEndpoint>>) => {
  if (outcome.outcome !== 'created') throw new Error(`It was ${outcome.outcome}.`);
  return outcome;
};

const unchanged = (id: string, isDoubtful = false) => ({
  outcome: 'unchanged',
  id,
  isDoubtful,
  others: [],
});

test('A deployment keeps the endpoint whose secret the site has', async () => {
  const { deploy, ids } = await openAccount();
  const { id, secret, others } = made(await deploy());
  expect(others).toEqual([]);
  expect(await deploy(secret)).toEqual(unchanged(id));
  expect(await deploy(undefined, true)).toEqual(unchanged(id));
  expect(await ids()).toEqual([id]);
});

test('A deployment accepts a rolled secret, and warns when it is the only one', async () => {
  const { deploy, ids } = await openAccount();
  const { id, secret } = made(await deploy());
  expect(await deploy(`whsec_rolled, ${secret}`)).toEqual(unchanged(id));
  expect(await deploy('whsec_rolled')).toEqual(unchanged(id, true));
  expect(await ids()).toEqual([id]);
});

test('A deployment adds another endpoint if it does not know the secret of the first, and updates the one whose secret it knows', async () => {
  const { deploy, makeByHand } = await openAccount();
  const first = made(await deploy());
  const second = made(await deploy());
  const byHand = await makeByHand();
  expect(second.others).toEqual([first.id]);
  for (const [one, secret] of [
    [first, first.secret],
    [second, `whsec_of_another_mode,${second.secret}`],
    [byHand, byHand.secret],
  ] as const)
    expect(await deploy(secret)).toMatchObject({ outcome: 'unchanged', id: one.id, isDoubtful: false });
  // The Worker has the secret of an endpoint that a deployment created.
  const { id } = await deploy(undefined, true);
  expect([first.id, second.id]).toContain(id);
});

test('A new Stripe account gets an endpoint, and the old secret stays valid', async () => {
  const old = made(await (await openAccount()).deploy());
  const { deploy } = await openAccount();
  const { id, secret } = made(await deploy(old.secret));
  expect(secret).toMatch(new RegExp(`^whsec_\\w+,${old.secret}$`));
  expect(await deploy(secret)).toEqual(unchanged(id));
});

test('An endpoint reports in the format of the API version that the site was built for', async () => {
  const { stripe } = await startTestEmulator();
  await ensureEndpoint(stripe, siteUrl, undefined, false);
  const [endpoint] = await findEndpoints(stripe, siteUrl);
  expect(endpoint?.api_version).toBe(Stripe.API_VERSION);
});

test('A deployment asks Stripe to check a domain again if its wallets became inactive', async () => {
  const { emulator, stripe } = await startTestEmulator();
  const host = new URL(siteUrl).hostname;
  const statusNow = async () => (await ensureWalletDomain(stripe, siteUrl)).apple_pay.status;
  expect(await statusNow()).toBe('active');
  emulator.controls.changeDomain({ host, isVerifiable: false });
  expect(await statusNow()).toBe('inactive');
  emulator.controls.changeDomain({ host, isVerifiable: true });
  expect(await statusNow()).toBe('active');
});
