/**
 * A load generator that costs little compared with what it measures. Plain sockets send one request at a time and count
 * the bytes of the response. On few cores, an ordinary HTTP client uses more CPU than the server.
 */
import { once } from 'node:events';
import { connect } from 'node:net';

export interface Load {
  /** How long each response took, in ms. */
  readonly times: number[];
  readonly perSecond: number;
}

/**
 * The length of the whole response in bytes, from the first response; undefined until its head is complete. All later
 * responses must have the length that their own head states.
 */
function answerLength(received: string): number | undefined {
  const headEnd = received.indexOf('\r\n\r\n');
  if (headEnd < 0) return undefined;
  const head = received.slice(0, headEnd);
  if (!head.startsWith('HTTP/1.1 200')) throw new Error(`The server answered ${head.slice(0, 30)}.`);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length === undefined) throw new Error('The answer does not say how long it is.');
  return headEnd + 4 + Number(length);
}

async function runConnection(url: URL, until: number, times: number[]): Promise<void> {
  const socket = connect(Number(url.port), url.hostname);
  socket.setNoDelay(true);
  // One character per byte, so that text lengths are byte lengths.
  socket.setEncoding('latin1');
  await once(socket, 'connect');
  const request = `GET ${url.pathname} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`;
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  let startedAt = performance.now();
  let received = '';
  let missing: number | undefined;
  socket.on('error', reject);
  socket.on('close', () => resolve(undefined));
  socket.on('data', (chunk: string) => {
    try {
      if (missing === undefined) {
        received += chunk;
        const length = answerLength(received);
        if (length === undefined) return;
        missing = length - received.length;
      } else missing -= chunk.length;
    } catch (error) {
      reject(error);
      return;
    }
    if (missing > 0) return;
    const now = performance.now();
    times.push(now - startedAt);
    received = '';
    missing = undefined;
    if (now >= until) socket.end();
    else {
      startedAt = performance.now();
      socket.write(request);
    }
  });
  startedAt = performance.now();
  socket.write(request);
  try {
    await promise;
  } finally {
    socket.destroy();
  }
}

/** Sends requests to one URL over a number of connections for a period of time. */
export async function load(address: string, connections: number, forMs: number): Promise<Load> {
  const times: number[] = [];
  const startedAt = performance.now();
  const until = startedAt + forMs;
  await Promise.all(Array.from({ length: connections }, () => runConnection(new URL(address), until, times)));
  return { times, perSecond: (times.length * 1_000) / (performance.now() - startedAt) };
}
