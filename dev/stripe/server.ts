/**
 * A stand-in for Stripe on this machine: the calls of its API that the product makes, its webhooks, and its browser
 * script. It speaks Stripe's protocol, so nothing in production knows of it. Only Stripe's test cards pay (cards.ts);
 * `4000000000002701` is the emulator's own and leaves a payment `processing` until it settles.
 *
 * Tests steer it through `emulator.controls`, or `POST /_test/<name>` with the argument as JSON:
 *
 * | name | argument | what it does |
 * | --- | --- | --- |
 * | `setWebhookUrl` | `{ url }` | sends what is pending, and what comes, there |
 * | `dropWebhooks` | `{ count?, types? }` | loses the next deliveries (of these event types) |
 * | `holdWebhooks`, `releaseWebhooks` | `{ types? }`, `{}` | keeps deliveries back; lets them go |
 * | `sendEvent` | `{ event, secret?, timestamp? }` | sends an event once, again, out of order or wrongly signed; answers `{ status }` |
 * | `listDeliveries` | `{}` | answers every delivery with its status and attempts |
 * | `waitForWebhooks` | `{}` | answers once nothing is pending |
 * | `settlePayment` | `{ paymentIntent, isApproved? }` | ends the wait of a `processing` payment |
 * | `planFault` | `{ kind, count?, status?, delayMs?, method?, path? }` | makes the next calls fail, hang up or wait (faults.ts) |
 * | `clearFaults` | `{}` | forgets the planned faults |
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { openApi } from './api.ts';
import { framePolicy, openBrowserFiles } from './browser-files.ts';
import { makeControls } from './controls.ts';
import { StripeFault } from './errors.ts';
import { openFaults } from './faults.ts';
import { releaseTrain } from './objects.ts';
import { finishChallenge } from './settle.ts';
import { openSettlements } from './settlements.ts';
import { openState } from './state.ts';
import { openWebhooks } from './webhooks.ts';

export interface StripeEmulatorOptions {
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number;
  /** Where the state is kept; without it, it is lost at `close`. */
  dataFile?: string;
  secretKey: string;
  publishableKey: string;
  /** What deliveries are signed with: `whsec_…`. */
  webhookSecret: string;
  /** Where deliveries go; they wait until it is known (`controls.setWebhookUrl`). */
  webhookUrl?: string;
  /** The pauses between attempts of a delivery: the first one, doubled each time, and the longest. */
  retryBaseMs?: number;
  retryCapMs?: number;
  /** How long a payment stays `processing`; null leaves it to `controls.settlePayment`. */
  processingMs?: number | null;
}

export type StripeEmulator = Awaited<ReturnType<typeof startStripeEmulator>>;

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value ?? null));
}

/** Only a page of the emulator itself can send JSON here: another's would need CORS, which is not granted. */
function hasJson(request: IncomingMessage): boolean {
  return request.headers['content-type']?.startsWith('application/json') ?? false;
}

/** Starts the emulator on 127.0.0.1 and resolves when it answers. */
export async function startStripeEmulator(options: StripeEmulatorOptions) {
  const {
    port = 0,
    dataFile = ':memory:',
    retryBaseMs = 1000,
    retryCapMs = 60_000,
    processingMs = 3000,
  } = options;
  const state = openState(dataFile);
  const faults = openFaults();
  const webhooks = openWebhooks(state, {
    secret: options.webhookSecret,
    url: options.webhookUrl,
    retryBaseMs,
    retryCapMs,
  });
  const settlements = openSettlements(state, () => webhooks.pump());
  const answerCall = openApi(state, faults, { ...options, processingMs }, () => {
    webhooks.pump();
    settlements.pump();
  });
  const controls = makeControls({ webhooks, faults, settle: settlements.settle });
  const findBrowserFile = openBrowserFiles();

  async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { method = 'GET', headers } = request;
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', 'Request-Id, Stripe-Version, Idempotent-Replayed');
    if (method === 'OPTIONS') {
      response.setHeader('Access-Control-Allow-Methods', 'GET, POST');
      response.setHeader(
        'Access-Control-Allow-Headers',
        'Authorization, Content-Type, Idempotency-Key, Stripe-Version',
      );
      response.writeHead(204).end();
      return;
    }
    const idempotencyKey = z.string().optional().parse(headers['idempotency-key']);
    const body = await readText(request);
    const answer = await answerCall({
      method,
      url,
      authorization: headers.authorization,
      idempotencyKey,
      body,
    });
    if (!answer) {
      response.destroy();
      return;
    }
    response.setHeader('Content-Type', 'application/json');
    response.setHeader('Request-Id', answer.requestId);
    if (headers['stripe-version']) response.setHeader('Stripe-Version', headers['stripe-version']);
    if (idempotencyKey !== undefined) response.setHeader('Idempotency-Key', idempotencyKey);
    if (answer.isReplayed) response.setHeader('Idempotent-Replayed', 'true');
    response.writeHead(answer.status).end(answer.body);
  }

  async function answerControl(
    request: IncomingMessage,
    response: ServerResponse,
    name: string,
  ): Promise<void> {
    const control = Object.entries(controls).find(([key]) => key === name)?.[1];
    if (!control || !hasJson(request)) {
      sendJson(response, 404, { error: 'There is no such control, or the request is not JSON.' });
      return;
    }
    sendJson(response, 200, await control.runUnchecked(JSON.parse(await readText(request))));
  }

  /** Takes what the payer chose in the 3-D Secure page. A decline after it is in the intent, not in this answer. */
  async function answerChallenge(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const choice = z
      .strictObject({ challenge: z.string(), isPassed: z.boolean() })
      .parse(JSON.parse(await readText(request)));
    const call = {
      state,
      form: {},
      id: '',
      isPublishable: true,
      requestId: null,
      idempotencyKey: null,
      processingMs,
    };
    try {
      state.transact(() => finishChallenge(call, choice.challenge, choice.isPassed));
    } catch (error) {
      if (!(error instanceof StripeFault) || error.status !== 402) throw error;
    } finally {
      webhooks.pump();
      settlements.pump();
    }
    sendJson(response, 200, {});
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { pathname } = url;
    if (pathname.startsWith('/v1/')) return answerApi(request, response, url);
    if (request.method === 'POST' && pathname.startsWith('/_test/'))
      return answerControl(request, response, pathname.slice('/_test/'.length));
    if (request.method === 'POST' && pathname === '/frames/challenge' && hasJson(request))
      return answerChallenge(request, response);
    const file = request.method === 'GET' ? await findBrowserFile(pathname) : undefined;
    if (!file) {
      sendJson(response, 404, { error: 'Nothing is here.' });
      return;
    }
    const headers = {
      'Cache-Control': 'no-cache',
      'Content-Security-Policy': framePolicy,
      'Content-Type': file.type,
      'X-Content-Type-Options': 'nosniff',
    };
    response.writeHead(200, headers).end(file.body);
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, error instanceof StripeFault ? error.status : 400, { error: message });
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(port, '127.0.0.1', resolve);
  });
  const address = z.object({ port: z.number() }).parse(server.address());
  const url = `http://127.0.0.1:${address.port}`;
  webhooks.pump();
  settlements.pump();

  return {
    url,
    port: address.port,
    /** The address of the script that stands in for Stripe.js. */
    scriptUrl: `${url}/${releaseTrain}/stripe.js`,
    controls,
    /** Sends pending and future deliveries to `webhookUrl`. */
    setWebhookUrl: (webhookUrl: string) => webhooks.setUrl(webhookUrl),
    /** Stops answering and delivering; with a `dataFile`, another emulator can go on from there. */
    async close(): Promise<void> {
      webhooks.close();
      settlements.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      state.close();
    },
  };
}
