/**
 * A stand-in for Stripe on this machine: the calls of its API that the product makes, its webhooks, and its browser
 * script. It speaks Stripe's protocol, so nothing in production knows of it. Only Stripe's test cards pay (cards.ts);
 * `4000000000002701` is the emulator's own and leaves a payment `processing` until it settles.
 * Tests steer it through `emulator.controls` (controls.ts).
 */
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { text as readText } from 'node:stream/consumers';
import { z } from 'zod';
import { openApi } from './api.ts';
import { openBank } from './bank.ts';
import { framePolicy, openBrowserFiles } from './browser-files.ts';
import { makeControls } from './controls.ts';
import { StripeFault } from './errors.ts';
import { openFaults } from './faults.ts';
import { releaseTrain } from './objects.ts';
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

/** Answers a call of the API; a browser may make one from any page. */
async function answerApi(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  answerCall: ReturnType<typeof openApi>,
): Promise<void> {
  const { method = 'GET', headers } = request;
  const allowed = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Allow-Headers': 'Authorization' };
  if (method === 'OPTIONS') {
    response.writeHead(204, allowed).end();
    return;
  }
  const answer = answerCall({
    method,
    url,
    authorization: headers.authorization,
    idempotencyKey: z.string().optional().parse(headers['idempotency-key']),
    body: await readText(request),
  });
  if (!answer) {
    response.destroy();
    return;
  }
  const { status, body, requestId, isReplayed } = answer;
  const about = { 'Request-Id': requestId, ...(isReplayed && { 'Idempotent-Replayed': 'true' }) };
  response.writeHead(status, { ...allowed, ...about, 'Content-Type': 'application/json' }).end(body);
}

/** Answers with a file of the browser's, if `find` knows one by that path. */
async function answerFile(
  response: ServerResponse,
  path: string,
  find: ReturnType<typeof openBrowserFiles>,
): Promise<void> {
  const file = await find(path);
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

/** Listens on 127.0.0.1; a request that cannot be read is answered with what is wrong with it. */
async function listen(
  port: number,
  answer: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
) {
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      const message = error instanceof Error ? error.message : String(error);
      if (response.headersSent) response.destroy();
      else sendJson(response, error instanceof StripeFault ? error.status : 400, { error: message });
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return { server, ...z.object({ port: z.number() }).parse(server.address()) };
}

/** Starts the emulator on 127.0.0.1 and resolves when it answers. */
export async function startStripeEmulator(options: StripeEmulatorOptions) {
  const { dataFile = ':memory:', processingMs = 3000 } = options;
  const state = openState(dataFile);
  const faults = openFaults();
  const webhooks = openWebhooks(state, { retryBaseMs: 1000, retryCapMs: 60_000, ...options });
  const afterChange = webhooks.pump;
  const bank = openBank(state, processingMs, afterChange);
  const answerCall = openApi(state, { ...options, faults, onProcessing: bank.settleLater, afterChange });
  const controls = makeControls(webhooks, faults, bank.settle);
  const findBrowserFile = openBrowserFiles();

  const { server, port } = await listen(options.port ?? 0, async (request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const { pathname } = url;
    if (pathname.startsWith('/v1/')) return answerApi(request, response, url, answerCall);
    if (request.method !== 'POST') return answerFile(response, pathname, findBrowserFile);
    const json = await readJson(request);
    const control = Object.entries(controls).find(([name]) => pathname === `/_test/${name}`)?.[1];
    if (control) sendJson(response, 200, await control.runUnchecked(json));
    else if (pathname === '/frames/challenge') {
      const { challenge, isPassed } = challengeChoice.parse(json);
      bank.finishChallenge(challenge, isPassed);
      sendJson(response, 200, {});
    } else sendJson(response, 404, { error: 'Nothing is here.' });
  });
  const url = `http://127.0.0.1:${port}`;
  webhooks.pump();

  return {
    url,
    port,
    /** The address of the script that stands in for Stripe.js. */
    scriptUrl: `${url}/${releaseTrain}/stripe.js`,
    controls,
    /** Stops answering and delivering; with a `dataFile`, another emulator can go on from there. */
    async close(): Promise<void> {
      webhooks.close();
      bank.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      state.close();
    },
  };
}
