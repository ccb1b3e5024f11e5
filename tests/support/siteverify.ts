/**
 * A small siteverify, like that of Cloudflare's Turnstile. A token is valid once, or twice with the same
 * idempotency key. https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import * as z from 'zod';
import { listen } from './listen.ts';

const question = z.object({
  secret: z.string(),
  response: z.string(),
  remoteip: z.string().optional(),
  idempotency_key: z.uuid().optional(),
});
export type Question = z.output<typeof question>;

export interface Siteverify {
  readonly url: string;
  /** All requests, oldest first. */
  readonly asked: readonly Question[];
  /** Responses to give before the real ones: a status with a body, or `cut` to break the connection. */
  readonly faults: ('cut' | { readonly status: number; readonly body: string })[];
  close(): Promise<void>;
}

/**
 * Starts a listener.
 * @param secret the only secret that it accepts
 * @param isPerson whether a token belongs to a person
 */
export async function startSiteverify(
  secret: string,
  isPerson: (token: string) => boolean,
): Promise<Siteverify> {
  const asked: Question[] = [];
  const faults: Siteverify['faults'][number][] = [];
  const spent = new Map<string, string | undefined>();
  const errorsOf = ({ secret: given, response, idempotency_key: key }: Question): string[] => {
    if (given !== secret) return ['invalid-input-secret'];
    if (!isPerson(response)) return ['invalid-input-response'];
    if (spent.has(response) && (key === undefined || spent.get(response) !== key))
      return ['timeout-or-duplicate'];
    spent.set(response, key);
    return [];
  };
  const server = createServer((request, response) => {
    void json(request).then((body) => {
      const asks = question.parse(body);
      asked.push(asks);
      const fault = faults.shift();
      if (fault === 'cut') return request.socket.destroy();
      const errors = errorsOf(asks);
      response.writeHead(fault?.status ?? 200, { 'Content-Type': 'application/json' });
      return response.end(
        fault?.body ?? JSON.stringify({ success: errors.length === 0, 'error-codes': errors }),
      );
    });
  });
  const { url, close } = await listen(server);
  return {
    url: `${url}/siteverify`,
    asked,
    faults,
    close,
  };
}
