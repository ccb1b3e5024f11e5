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
 * | `holdWebhooks`, `releaseWebhooks` | `{ types? }`, `{}` | keeps deliveries back; lets them go |
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
import { ownCall } from './call.ts';
import { makeControls } from './controls.ts';
import { StripeFault } from './errors.ts';
import { openFaults } from './faults.ts';
import { releaseTrain } from './objects.ts';
import { finishChallenge, settleProcessing } from './settle.ts';
import { openState } from './state.ts';
import { openWebhooks, type WebhookOptions } from './webhooks.ts';

export interface StripeEmulatorOptions extends Partial<WebhookOptions> {
  /** The port on 127.0.0.1; 0, the default, takes a free one. */
  port?: number;
  /** Where the state is kept; without it, it is lost at `close`. */
  dataFile?: string;
  secretKey: string;
  publishableKey: string;
  /** What deliveries are signed with: `whsec_…`. */
  webhookSecret: string;
  /** How long a payment stays `processing`; null leaves it to `controls.settlePayment`. */
  processingMs?: number | null;
}

export type StripeEmulator = Awaited<ReturnType<typeof startStripeEmulator>>;

function sendJson(response: ServerResponse, status: number, value: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value ?? null));
}

/** The JSON of a request. Only a page of the emulator itself can send any: another's would need CORS, which is not granted. */
async function readJson(request: IncomingMessage): Promise<unknown> {
  if (request.headers['content-type']?.startsWith('application/json'))
    return JSON.parse(await readText(request));
  throw new StripeFault(404, { type: 'invalid_request_error', message: 'The request is not JSON.' });
}

const challengeChoice = z.strictObject({ challenge: z.string(), isPassed: z.boolean() });

/** Starts the emulator on 127.0.0.1 and resolves when it answers. */
export async function startStripeEmulator(options: StripeEmulatorOptions) {
  const { port = 0, dataFile = ':memory:', processingMs = 3000 } = options;
  const state = openState(dataFile);
  const faults = openFaults();
  const webhooks = openWebhooks(state, { retryBaseMs: 1000, retryCapMs: 60_000, ...options });
  const timers = new Set<NodeJS.Timeout>();

  /** Makes a change that no call of the API caused. A decline is in the intent, not in an answer. */
  function change(make: (call: ReturnType<typeof ownCall>) => void): void {
    try {
      state.transact(() => make(ownCall(state, settleLater)));
    } catch (error) {
      if (!(error instanceof StripeFault) || error.status !== 402) throw error;
    } finally {
      webhooks.pump();
    }
  }

  const settle = (intentId: string, isApproved: boolean) =>
    change((call) => settleProcessing(call, intentId, isApproved));

  /** Lets the bank approve a `processing` payment when its time has come. */
  function settleLater(intentId: string): void {
    if (processingMs === null) return;
    const timer = setTimeout(() => {
      timers.delete(timer);
      if (state.get('payment_intent', intentId)?.status === 'processing') settle(intentId, true);
    }, processingMs);
    timers.add(timer);
  }

  const answerCall = openApi(state, {
    ...options,
    faults,
    onProcessing: settleLater,
    afterChange: webhooks.pump,
  });
  const controls = makeControls(webhooks, faults, settle);
  const findBrowserFile = openBrowserFiles();

  async function answerApi(request: IncomingMessage, response: ServerResponse, url: URL): Promise<void> {
    const { method = 'GET', headers } = request;
    response.setHeader('Access-Control-Allow-Origin', '*');
    if (method === 'OPTIONS') {
      const allowed = {
        'Access-Control-Allow-Methods': 'GET, POST',
        'Access-Control-Allow-Headers': 'Authorization',
      };
      response.writeHead(204, allowed).end();
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

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { pathname } = url;
    if (pathname.startsWith('/v1/')) return answerApi(request, response, url);
    if (request.method === 'POST' && pathname === '/frames/challenge') {
      const { challenge, isPassed } = challengeChoice.parse(await readJson(request));
      change((call) => finishChallenge(call, challenge, isPassed));
      sendJson(response, 200, {});
      return;
    }
    const control = Object.entries(controls).find(([name]) => pathname === `/_test/${name}`)?.[1];
    if (request.method === 'POST' && control) {
      sendJson(response, 200, await control.runUnchecked(await readJson(request)));
      return;
    }
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
  for (const { id } of state.list('payment_intent', { fields: { status: 'processing' } })) settleLater(id);

  return {
    url,
    port: address.port,
    /** The address of the script that stands in for Stripe.js. */
    scriptUrl: `${url}/${releaseTrain}/stripe.js`,
    controls,
    /** Stops answering and delivering; with a `dataFile`, another emulator can go on from there. */
    async close(): Promise<void> {
      webhooks.close();
      for (const timer of timers) clearTimeout(timer);
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      state.close();
    },
  };
}
