/**
 * A local stand-in for Stripe: the API calls that the product makes, the webhooks, and the browser script. It speaks
 * Stripe's protocol, so no production code knows about it. Only Stripe's test cards pay (cards.ts). The emulator's own
 * card `4000000000002701` leaves a payment `processing` until it settles. Tests control the emulator through
 * `emulator.controls` (controls.ts).
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import * as z from 'zod';
import { keepAliveMs } from '../keep-alive.ts';
import { type ApiOptions, openApi } from './api.ts';
import { openBank } from './bank.ts';
import { openBrowserFiles } from './browser-files.ts';
import { makeControls } from './controls.ts';
import { dashboardPath, openDashboard } from './dashboard.ts';
import { openFaults } from './faults.ts';
import type { PublishableKeys } from './keys.ts';
import { releaseTrain } from './objects.ts';
import { openPortal } from './portal.ts';
import { finishChallenge } from './settle.ts';
import { openState } from './state.ts';
import { openWebhooks, type WebhookOptions } from './webhooks.ts';

export interface StripeEmulatorOptions extends WebhookOptions {
  /** The file that stores the state. Without a file, the state is lost at `close`. */
  dataFile?: string;
  secretKey: string;
  publishableKey: string;
  /** Restricted keys, each with its permissions, such as `payment_intent_write`. */
  restrictedKeys?: ApiOptions['restrictedKeys'];
  /** How long payments and refunds wait for their bank, in ms. With null, only the controls settle them. */
  processingMs?: number | null;
  /** Whether browsers have the test wallet; by default only those whose page sets `window.hasTestWallet`. */
  offersWallet?: boolean;
}

export type StripeEmulator = Awaited<ReturnType<typeof startStripeEmulator>>;

const nothingHere = () => Response.json({ error: 'Nothing is here.' }, { status: 404 });

const challengeChoice = z.strictObject({ challenge: z.string(), isPassed: z.boolean() });

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const { method = 'GET', url = '/' } = incoming;
  // Only a response has a header with several values.
  const headers = incoming.headers as Record<string, string>;
  const body = await readText(incoming);
  return new Request(new URL(url, 'http://localhost'), { method, headers, ...(body && { body }) });
}

/** Listens on a free port of 127.0.0.1. Closes the connection of a request that gets no response. */
async function listen(answer: (request: Request) => Promise<Response | undefined>) {
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (incoming, outgoing) => {
    void toRequest(incoming)
      .then(answer)
      .catch((error: unknown) => Response.json({ error: String(error) }, { status: 400 }))
      .then(async (response) => {
        if (!response) return outgoing.destroy();
        const body = await response.text();
        return outgoing.writeHead(response.status, Object.fromEntries(response.headers)).end(body);
      });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, ...z.object({ port: z.number() }).parse(server.address()) };
}

/** Starts the emulator on 127.0.0.1. Resolves once it answers requests. */
export async function startStripeEmulator(options: StripeEmulatorOptions) {
  const { dataFile = ':memory:', processingMs = 3000 } = options;
  const state = openState(dataFile);
  const faults = openFaults();
  const webhooks = openWebhooks(state, options);
  const afterChange = webhooks.pump;
  const bank = openBank(state, processingMs, afterChange);
  const keys: PublishableKeys = { own: new Set([options.publishableKey]), foreign: new Set() };
  const answerCall = openApi(state, { ...options, keys, faults, later: bank.later, afterChange });
  const answerDashboard = openDashboard(state, bank, webhooks);
  const answerPortal = openPortal(state, bank);
  const answerFile = openBrowserFiles(options.offersWallet ?? false);

  const { server, port } = await listen(async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname.startsWith('/v1/')) return answerCall(request);
    if (pathname.startsWith(dashboardPath)) return answerDashboard(request);
    const portalPage = await answerPortal(request);
    if (portalPage) return portalPage;
    if (request.method !== 'POST') return (await answerFile(pathname)) ?? nothingHere();
    if (pathname !== '/frames/challenge') return nothingHere();
    const { challenge, isPassed } = challengeChoice.parse(await request.json());
    bank.settle((call) => finishChallenge(call, challenge, isPassed));
    return Response.json({});
  });
  const url = `http://127.0.0.1:${port}`;
  state.url = url;
  webhooks.pump();

  return {
    url,
    port,
    scriptUrl: `${url}/${releaseTrain}/stripe.js`,
    controls: makeControls(webhooks, faults, bank, keys),
    /** Stops answering and delivering. With a `dataFile`, another emulator can continue from the stored state. */
    async close(): Promise<void> {
      webhooks.close();
      bank.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      state.close();
    },
  };
}
