/** The webhook endpoint that a deployment leaves at Stripe is one whose secret the site has. */
import { expect, test } from 'vitest';
import { ensureEndpoint, findEndpoints, webhookUrl } from '#deploy/stripe.ts';
import { startTestEmulator } from '#dev/stripe/testing.ts';
import { webhookEvents } from '#worker/payments/stripe.ts';

const siteUrl = 'https://www.agency.example';

/** An account at Stripe, and a deployment to it with what is known of the secret. */
async function openAccount() {
  const { stripe } = await startTestEmulator();
  return {
    deploy: (setting?: string, isInWorker = false) => ensureEndpoint(stripe, siteUrl, setting, isInWorker),
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

const unchanged = (id: string, isDoubtful = false) => ({
  ...{ outcome: 'unchanged', id, isDoubtful, others: [] },
});

test('A secret is known to be that of the endpoint that was made with it', async () => {
  const { deploy, ids } = await openAccount();
  const { id, secret, others } = made(await deploy());
  expect(others).toEqual([]);
  expect(await deploy(secret)).toEqual(unchanged(id));
  expect(await deploy(undefined, true)).toEqual(unchanged(id));
  expect(await ids()).toEqual([id]);
});

test('A secret that was rolled at Stripe is taken, and only who gives it alone is told of the doubt', async () => {
  const { deploy, ids } = await openAccount();
  const { id, secret } = made(await deploy());
  expect(await deploy(`whsec_rolled, ${secret}`)).toEqual(unchanged(id));
  expect(await deploy('whsec_rolled')).toEqual(unchanged(id, true));
  expect(await ids()).toEqual([id]);
});

test('Of several endpoints the one that was made with the secret is kept up to date', async () => {
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
  // In the Worker there is the secret of one that a deployment made.
  const { id } = await deploy(undefined, true);
  expect([first.id, second.id]).toContain(id);
});

test('A new account gets an endpoint, and the secret of the old one stays beside the new', async () => {
  const old = made(await (await openAccount()).deploy());
  const { deploy } = await openAccount();
  const { id, secret } = made(await deploy(old.secret));
  expect(secret).toMatch(new RegExp(`^whsec_\\w+,${old.secret}$`));
  expect(await deploy(secret)).toEqual(unchanged(id));
});

test('Beside an endpoint whose secret nobody has another is made, and the old one stays', async () => {
  const { deploy, makeByHand, ids } = await openAccount();
  const byHand = await makeByHand();
  const { id, others } = made(await deploy());
  expect(others).toEqual([byHand.id]);
  expect(new Set(await ids())).toEqual(new Set([id, byHand.id]));
});
