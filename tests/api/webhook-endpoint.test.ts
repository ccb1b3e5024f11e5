/** The webhook endpoint that a deployment leaves at Stripe is one whose secret the site has. */
import { expect, test } from 'vitest';
import {
  ensureEndpoint,
  findEndpoints,
  removeUseless,
  webhookUrl,
  type KnownSecret,
} from '#deploy/stripe.ts';
import { startTestEmulator } from '#dev/stripe/testing.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';

const siteUrl = 'https://www.agency.example';

/** An account at Stripe, and a deployment to it with what is known of the secret. */
async function openAccount() {
  const { stripe } = await startTestEmulator();
  return {
    stripe,
    deploy: (known: Partial<KnownSecret>) =>
      ensureEndpoint(stripe, siteUrl, { setting: undefined, isFixed: false, isInWorker: false, ...known }),
    /** Somebody makes an endpoint in the dashboard. */
    makeByHand: () =>
      stripe.webhookEndpoints.create({ url: webhookUrl(siteUrl), enabled_events: [...webhookEvents] }),
    ids: async () => (await findEndpoints(stripe, siteUrl)).map(({ id }) => id),
  };
}

/** @throws when none was made */
const made = (outcome: Awaited<ReturnType<typeof ensureEndpoint>>) => {
  if (outcome.outcome !== 'made') throw new Error(`It was ${outcome.outcome}.`);
  return outcome;
};

test('A secret is known to be that of the endpoint that was made with it', async () => {
  const { deploy, ids } = await openAccount();
  const first = made(await deploy({}));
  expect(first.useless).toEqual([]);
  expect(await deploy({ setting: first.secret })).toMatchObject({ outcome: 'unchanged', useless: [] });
  expect(await deploy({ isInWorker: true })).toMatchObject({ outcome: 'unchanged', useless: [] });
  expect(await ids()).toEqual([first.id]);
});

test('A secret that was rolled at Stripe is known once it stood before the old one', async () => {
  const { deploy, ids } = await openAccount();
  const { id, secret } = made(await deploy({}));
  expect(await deploy({ setting: `whsec_rolled, ${secret}` })).toMatchObject({
    outcome: 'updated',
    useless: [],
  });
  expect(await deploy({ setting: 'whsec_rolled' })).toMatchObject({ outcome: 'unchanged', useless: [] });
  expect(await ids()).toEqual([id]);
});

test('Where the secret is that of another endpoint, a new one is made before the old one goes, and both are accepted', async () => {
  const { stripe, deploy, ids } = await openAccount();
  const first = made(await deploy({}));
  const second = made(await deploy({ setting: 'whsec_of_another' }));
  expect(second.secret).toMatch(/^whsec_\w+,whsec_of_another$/);
  expect(new Set(await ids())).toEqual(new Set([first.id, second.id]));
  // Had the deployment ended here, the next one would go on.
  const again = await deploy({ setting: second.secret });
  for (const outcome of [again, second])
    expect(outcome).toMatchObject({ id: second.id, useless: [first.id] });
  expect(await removeUseless(stripe, siteUrl, second)).toEqual([]);
  expect(await ids()).toEqual([second.id]);
});

test('An endpoint whose secret may be the site’s, or not, goes on beside a new one', async () => {
  const { stripe, deploy, makeByHand } = await openAccount();
  const { id, secret = '' } = await makeByHand();
  const second = made(await deploy({ setting: secret }));
  expect(second.secret.endsWith(`,${secret}`)).toBe(true);
  expect(await removeUseless(stripe, siteUrl, second)).toEqual([id]);
  expect(await deploy({ setting: second.secret })).toMatchObject({ outcome: 'unchanged', useless: [] });
});

test('An endpoint whose secret nobody has is replaced', async () => {
  const { deploy, makeByHand } = await openAccount();
  const { id } = await makeByHand();
  expect(made(await deploy({})).useless).toEqual([id]);
});

test('A wrong secret that the environment gives stops the deployment before anything is made', async () => {
  const { deploy, ids } = await openAccount();
  const { id } = made(await deploy({}));
  expect(await deploy({ setting: 'whsec_of_another', isFixed: true })).toEqual({ outcome: 'wrongSecret' });
  expect(await ids()).toEqual([id]);
});
