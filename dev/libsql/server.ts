/**
 * The local stand-in for Turso: a libSQL server over the embedded engine that speaks Hrana over HTTP like sqld. The
 * official client, in all its builds, cannot tell the two apart. It serves one database to any number of clients on
 * this machine, in this process or in a separate one.
 */
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { dirname } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { keepAliveMs } from '../keep-alive.ts';
import { ConnectionPool } from './connection.ts';
import { ProtocolError, StreamExpiredError } from './errors.ts';
import { runCursor, runPipeline } from './pipeline.ts';
import { cursorBody, pipelineBody } from './protocol.ts';
import { Stream, StreamTable } from './streams.ts';

export interface LibsqlServerOptions {
  /** The database file. The file and its folder are created if missing. */
  file: string;
  /** 0 picks a free port. */
  port?: number;
  /** The bearer token that clients must send. Without a token, every client on this machine is accepted. */
  authToken?: string;
  /**
   * Called with the body of each round trip before the round trip is executed. It may count it, delay it, or throw to
   * fail it.
   */
  beforePipeline?: ((body: string) => void | Promise<void>) | undefined;
}

export interface LibsqlServer {
  /** The address for the client, such as `http://127.0.0.1:8080`. */
  url: string;
  port: number;
  /** Finishes running requests, rolls back open transactions and moves everything into the database file. */
  close(): Promise<void>;
}

const CLOSE_GRACE_MS = 1_000;
/**
 * How many connections may wait while this process is busy. With Node's default of 511, some connections of a larger
 * burst would be reset.
 */
const BACKLOG = 4_096;

/**
 * Starts the server on 127.0.0.1.
 * @example const turso = await startLibsqlServer({ file: '.data/content.db', authToken });
 */
export async function startLibsqlServer({
  file,
  port = 0,
  authToken,
  beforePipeline,
}: LibsqlServerOptions): Promise<LibsqlServer> {
  mkdirSync(dirname(file), { recursive: true });
  const pool = new ConnectionPool(file);
  const turnAway = new AbortController();
  const streams = new StreamTable(() => new Stream(pool, turnAway.signal));
  let closing: Promise<void> | undefined;

  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (authToken !== undefined && request.headers.authorization !== `Bearer ${authToken}`) {
      sendJson(response, 401, { error: 'Unauthorized: `The bearer token is missing or wrong`' });
      return;
    }
    const call = `${request.method ?? ''} ${request.url ?? ''}`;
    if (call !== PIPELINE && call !== CURSOR) {
      sendText(response, 404, 'There is nothing here.');
      return;
    }
    const body = await readText(request);
    await beforePipeline?.(body);
    const signal = watchDeparture(response);
    if (call === CURSOR) return answerCursor(streams, body, response, signal);
    const { baton, requests } = parseBody(body, pipelineBody);
    const { result, baton: nextBaton } = await streams.use(baton ?? null, async (stream) => {
      const results = await runPipeline({ stream, signal }, requests);
      signal.throwIfAborted();
      return results;
    });
    sendJson(response, 200, { baton: nextBaton, base_url: null, results: result });
  };

  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    answer(request, response).catch((error: unknown) => sendError(response, error));
    // A client that keeps its connection open would keep a closing server open.
    response.once('close', () => closing !== undefined && server.closeIdleConnections());
  });
  server.listen(port, '127.0.0.1', BACKLOG);
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');

  const close = async () => {
    const closed = once(server, 'close');
    server.close();
    turnAway.abort();
    const timer = setTimeout(() => server.closeAllConnections(), CLOSE_GRACE_MS);
    await closed;
    clearTimeout(timer);
    streams.close();
    pool.close();
  };

  return {
    url: `http://127.0.0.1:${address.port}`,
    port: address.port,
    close: () => (closing ??= close()),
  };
}

/** Where the official client sends everything. */
const PIPELINE = 'POST /v2/pipeline';
/** For backups: reads more than a pipeline may answer (`worker/db/cursor.ts`). */
const CURSOR = 'POST /v3/cursor';

function parseBody<T>(text: string, schema: z.ZodType<T>): T {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    throw new ProtocolError(`Cannot deserialize client message from JSON: ${String(error)}`);
  }
  const body = schema.safeParse(json);
  if (!body.success) throw new ProtocolError(`Cannot read client message:\n${z.prettifyError(body.error)}`);
  return body.data;
}

/** Aborts if the client disconnects before it has its response. */
function watchDeparture(response: ServerResponse): AbortSignal {
  const departure = new AbortController();
  response.once('close', () => departure.abort(new Error('The client has gone.')));
  return departure.signal;
}

function sendError(response: ServerResponse, error: unknown): void {
  if (response.destroyed) return;
  if (response.headersSent) {
    response.destroy();
    return;
  }
  if (error instanceof StreamExpiredError) {
    sendJson(response, 400, { message: error.message, code: error.code });
  } else if (error instanceof ProtocolError) {
    sendText(response, 400, error.message);
  } else {
    console.error('libSQL stand-in:', error);
    sendText(response, 500, 'The libSQL stand-in failed; its own output says why.');
  }
}

/** Executes a cursor's batch. The stream then ends. */
async function answerCursor(
  streams: StreamTable,
  body: string,
  response: ServerResponse,
  signal: AbortSignal,
): Promise<void> {
  const { baton, batch } = parseBody(body, cursorBody);
  const lines = [`${JSON.stringify({ baton: null, base_url: null })}\n`];
  await streams.use(baton ?? null, async (stream) => {
    for await (const entry of runCursor({ stream, signal }, batch)) lines.push(`${JSON.stringify(entry)}\n`);
    stream.close();
  });
  response.setHeader('content-type', 'text/plain');
  await pipeline(lines, response);
}

// The client requires exactly these types, without parameters.
const sendJson = (response: ServerResponse, status: number, body: unknown) =>
  send(response, status, 'application/json', JSON.stringify(body));

const sendText = (response: ServerResponse, status: number, text: string) =>
  send(response, status, 'text/plain', text);

function send(response: ServerResponse, status: number, type: string, body: string): void {
  response.statusCode = status;
  response.setHeader('content-type', type);
  response.end(body);
}
