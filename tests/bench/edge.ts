/**
 * What stands between the Worker and a browser in production, as far as bytes go: compresses text on the way, at the
 * level that Cloudflare uses (Brotli 4).
 * https://developers.cloudflare.com/speed/optimization/content/compression/
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

const compress = promisify(brotliCompress);

export const compressLikeEdge = (body: Uint8Array | string): Promise<Buffer> =>
  compress(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } });

const isText = (type: string | null) =>
  /^(text\/|application\/(javascript|json|manifest)|image\/svg)/.test(type ?? '');

const connectionHeaders = new Set(['connection', 'keep-alive', 'transfer-encoding', 'content-length']);

export interface Edge {
  readonly url: string;
  readonly stop: () => void;
}

/** Serves GET requests from `origin`. */
export async function startEdge(origin: string): Promise<Edge> {
  const server = createServer((request, response) => {
    const answer = async () => {
      const from = await fetch(new URL(request.url ?? '/', origin), { redirect: 'manual' });
      from.headers.forEach((value, name) => {
        if (!connectionHeaders.has(name)) response.setHeader(name, value);
      });
      response.statusCode = from.status;
      const body = new Uint8Array(await from.arrayBuffer());
      if (!isText(from.headers.get('Content-Type'))) return response.end(body);
      return response.setHeader('Content-Encoding', 'br').end(await compressLikeEdge(body));
    };
    answer().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}
