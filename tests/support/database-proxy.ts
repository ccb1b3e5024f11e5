/** A proxy between a Worker and its database. It counts requests, and can lose, cut, delay or redirect them. */
import { createServer, type IncomingMessage } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { keepAliveMs } from '#dev/keep-alive.ts';
import { fullSize } from './limits.ts';
import { listen } from './listen.ts';

/**
 * What happens to a request. It passes, immediately or late. Its connection is cut before the database has seen it, or
 * after the database has executed it but before the response is sent. No one answers it. Or a copy of the database
 * answers it instead.
 */
export type Fate = 'pass' | 'late' | 'cutBefore' | 'cutAfter' | 'hang' | { readonly askInstead: string };

/** How long a late response takes, in ms. At full size, it is half of the caller's timeout. */
const lateMs = fullSize ? 15_000 : 30;

export interface DatabaseProxy {
  readonly url: string;
  /** How many requests have come so far. */
  readonly requests: number;
  /** Decides what happens to each request from now on, by its body. */
  decide(fate: (body: string) => Fate): void;
  /**
   * Settles once nobody is connected and no request is running. Everything that a killed Worker had requested is then
   * done.
   */
  settle(): Promise<void>;
  close(): Promise<void>;
}

async function readBody(request: IncomingMessage): Promise<string> {
  let body = '';
  request.setEncoding('utf8');
  for await (const chunk of request) body += String(chunk);
  return body;
}

/** @param target address of the database */
export async function startDatabaseProxy(target: string): Promise<DatabaseProxy> {
  let requests = 0;
  let underWay = 0;
  let fateOf: (body: string) => Fate = () => 'pass';
  const server = createServer({ keepAliveTimeout: keepAliveMs }, (request, response) => {
    const relay = async () => {
      const body = await readBody(request);
      requests += 1;
      const fate = fateOf(body);
      if (fate === 'hang') return;
      if (fate === 'cutBefore') {
        response.destroy();
        return;
      }
      if (fate === 'late') await pause(lateMs);
      const asked = typeof fate === 'object' ? fate.askInstead : target;
      const answer = await fetch(new URL(request.url ?? '/', asked), {
        method: request.method ?? 'GET',
        headers: {
          'Content-Type': request.headers['content-type'] ?? '',
          Authorization: request.headers.authorization ?? '',
        },
        ...(body && { body }),
      });
      const text = await answer.text();
      if (fate === 'cutAfter') response.destroy();
      else
        response
          .writeHead(answer.status, { 'Content-Type': answer.headers.get('Content-Type') ?? '' })
          .end(text);
    };
    underWay += 1;
    relay()
      .catch(() => response.destroy())
      .finally(() => (underWay -= 1));
  });
  return {
    ...(await listen(server)),
    get requests() {
      return requests;
    },
    decide(fate) {
      fateOf = fate;
    },
    settle: async () => {
      const countConnections = promisify(server.getConnections.bind(server));
      while (underWay > 0 || (await countConnections()) > 0) await pause(5);
    },
  };
}
