/** Helpers for the emulator's tests: an emulator that closes with its test, and the official client for it. */
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { text } from 'node:stream/consumers';
import Stripe from 'stripe';
import { expect, onTestFinished } from 'vitest';
import * as z from 'zod';
import { startStripeEmulator, type StripeEmulatorOptions } from './server.ts';

export const secretKey = 'sk_test_emulator';
export const publishableKey = 'pk_test_emulator';
export const webhookSecret = 'whsec_emulator';

/** Starts an emulator for the current test, with `stripe` as its client. */
export async function startTestEmulator(options: Partial<StripeEmulatorOptions> = {}) {
  const emulator = await startStripeEmulator({
    secretKey,
    publishableKey,
    webhookSecret,
    processingMs: null,
    ...options,
  });
  onTestFinished(() => emulator.close());
  return { emulator, stripe: connectStripe(emulator.port) };
}

/** The official client, without retries, so that a test sees each answer. */
export function connectStripe(port: number, key = secretKey): Stripe {
  return new Stripe(key, { host: '127.0.0.1', port, protocol: 'http', maxNetworkRetries: 0 });
}

/** Creates and confirms an intent of 499 dollars with a payment method. */
export function pay(stripe: Stripe, paymentMethod = 'pm_card_visa') {
  return stripe.paymentIntents.create({
    amount: 49_900,
    currency: 'usd',
    payment_method: paymentMethod,
    allowed_payment_method_types: ['card'],
    confirm: true,
  });
}

/** The id of an intent's latest charge, which is an object if the call expanded it. */
export function chargeIdOf({ latest_charge }: Stripe.PaymentIntent): string {
  return (typeof latest_charge === 'string' ? latest_charge : latest_charge?.id) ?? '';
}

export async function balanceOf(stripe: Stripe): Promise<number> {
  const { data } = await stripe.balanceTransactions.list({ limit: 100 });
  return data.reduce((sum, { net }) => sum + net, 0);
}

export async function refusalOf(call: Promise<unknown>): Promise<Stripe.errors.StripeError> {
  try {
    await call;
  } catch (error) {
    if (error instanceof Stripe.errors.StripeError) return error;
    throw error;
  }
  throw new Error('The call was not refused.');
}

export async function untilDelivered(stripe: Stripe): Promise<void> {
  const pending = async () => {
    const { data } = await stripe.events.list({ limit: 100 });
    return data.filter(({ pending_webhooks }) => pending_webhooks > 0);
  };
  await expect.poll(pending).toEqual([]);
}

interface ReceivedWebhook {
  headers: IncomingHttpHeaders;
  body: string;
  event: { id: string; type: string; object: { id: string } };
}

const eventShape = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({ object: z.object({ id: z.string() }) }),
});

/**
 * Starts an endpoint that stores what it receives. It responds with the statuses in `answers` in turn, and then with
 * 200.
 */
export async function startWebhookEndpoint(answers: number[] = []) {
  const received: ReceivedWebhook[] = [];
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      const { id, type, data } = eventShape.parse(JSON.parse(body));
      received.push({ headers: request.headers, body, event: { id, type, object: data.object } });
      response.writeHead(answers.shift() ?? 200).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = z.object({ port: z.number() }).parse(server.address());
  return {
    url: `http://127.0.0.1:${port}/webhook`,
    received,
    types: () => received.map(({ event }) => event.type),
  };
}
