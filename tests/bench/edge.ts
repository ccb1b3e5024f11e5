/**
 * Stands in for what is between the Worker and a browser in production, as far as bytes and round trips are concerned.
 * It speaks HTTP/2 over TLS, and compresses text at the level that Cloudflare uses (Brotli 4).
 * https://developers.cloudflare.com/speed/optimization/content/compression/
 */
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createSecureServer, type ServerHttp2Session } from 'node:http2';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';
import type { Runtime } from './runtime.ts';

const compress = promisify(brotliCompress);
const run = promisify(execFile);

/** The maximum size of the pictures on `/` for a visitor who reads to the end, in bytes as sent by the edge. */
export const mostPictures = 20_000;

export const compressLikeEdge = (body: Uint8Array | string): Promise<Buffer> =>
  compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

const isText = (type: string | null) =>
  /^(text\/|application\/(javascript|json|manifest)|image\/svg)/.test(type ?? '');

const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export interface Edge {
  readonly url: string;
  readonly stop: () => void;
}

/** The Chromium flag that accepts the edge's self-signed certificate. */
export const trustEdge = '--ignore-certificate-errors';

/**
 * Creates a key and a certificate for a day. Needs the command `openssl`, which Debian installs with its
 * certificates.
 */
async function certify(): Promise<{ key: Buffer; cert: Buffer }> {
  const folder = await mkdtemp(join(tmpdir(), 'edge-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  try {
    const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
    const names = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=IP:127.0.0.1'];
    await run('openssl', ['req', '-x509', ...curve, '-keyout', key, '-out', cert, '-days', '1', ...names]);
    return { key: await readFile(key), cert: await readFile(cert) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Serves GET requests from a runtime. Content-Length is the compressed length. */
export async function startEdge({ url, filesUrl }: Pick<Runtime, 'url' | 'filesUrl'>): Promise<Edge> {
  const sessions = new Set<ServerHttp2Session>();
  const server = createSecureServer({ ...(await certify()), allowHTTP1: true }, (request, response) => {
    const answer = async () => {
      const origin = request.url.startsWith('/_astro/') ? filesUrl : url;
      const from = await fetch(new URL(request.url, origin), { redirect: 'manual' });
      from.headers.forEach((value, name) => {
        if (!connectionHeaders.has(name)) response.setHeader(name, value);
      });
      response.statusCode = from.status;
      const sent = new Uint8Array(await from.arrayBuffer());
      const isCompressed = isText(from.headers.get('Content-Type'));
      const body = isCompressed ? await compressLikeEdge(sent) : sent;
      if (isCompressed) response.setHeader('Content-Encoding', 'br');
      response.setHeader('Content-Length', body.byteLength);
      response.end(body);
    };
    answer().catch(() => response.destroy());
  });
  server.on('session', (session) => {
    sessions.add(session);
    session.once('close', () => sessions.delete(session));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `https://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}
