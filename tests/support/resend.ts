/**
 * A small Resend. It takes `POST /emails` like the real one, with its errors, its keys and its idempotency.
 * https://resend.com/docs/api-reference/emails/send-email. It is stricter in one way: it never forgets an idempotency
 * key, not even the key of a refused request, and compares bodies character by character.
 */
import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import * as z from 'zod';
import { listen } from './listen.ts';

const address = /^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/;
const email = z.strictObject({
  from: z.string().regex(/^([^<>]+ <[^\s@<>]+@[^\s@<>]+>|[^\s@<>]+@[^\s@<>]+)$/),
  to: z.array(z.string().regex(address)).min(1).max(50),
  reply_to: z.string().regex(address).optional(),
  headers: z.record(z.string(), z.string()).optional(),
  subject: z.string().min(1),
  text: z.string().optional(),
  html: z.string().optional(),
});
type ResendEmail = z.output<typeof email>;

/** An error of Resend: its status and its name. https://resend.com/docs/api-reference/errors */
type ResendFault = 'cut' | readonly [status: number, name: string];

/**
 * Starts a listener.
 * @param apiKey the only key that it accepts
 * @param domain the only verified domain
 */
export async function startResend(apiKey: string, domain: string) {
  /** The sent emails, oldest first. */
  const sent: ResendEmail[] = [];
  /** Responses to give before the real ones. `cut` breaks the connection after the email was sent. */
  const faults: ResendFault[] = [];
  const requests = { count: 0 };
  const bodies = new Map<string, string>();
  const ids = new Map<string, string>();

  function take({ headers, url, method }: IncomingMessage, body: string): readonly [number, object] {
    const fail = (status: number, name: string) =>
      [status, { statusCode: status, name, message: name }] as const;
    if (!headers['user-agent']) return [403, { error: 'error code: 1010' }];
    if (url !== '/emails' || method !== 'POST') return fail(404, 'not_found');
    if (headers.authorization !== `Bearer ${apiKey}`) return fail(403, 'invalid_api_key');
    const key = headers['idempotency-key'];
    if (typeof key !== 'string' || key.length < 1 || key.length > 256)
      return fail(400, 'invalid_idempotency_key');
    if ((bodies.get(key) ?? body) !== body) return fail(409, 'invalid_idempotent_request');
    bodies.set(key, body);
    const parsed = email.safeParse(JSON.parse(body));
    if (!parsed.success) return fail(422, 'validation_error');
    if (!parsed.data.from.replace('>', '').endsWith(`@${domain}`)) return fail(403, 'validation_error');
    if (!ids.has(key)) sent.push(parsed.data);
    const id = ids.get(key) ?? randomUUID();
    ids.set(key, id);
    return [200, { id }];
  }

  const server = createServer((request, response) => {
    void text(request).then((body) => {
      requests.count += 1;
      const fault = faults.shift();
      const [status, said] =
        fault === undefined || fault === 'cut'
          ? take(request, body)
          : [fault[0], { statusCode: fault[0], name: fault[1], message: fault[1] }];
      if (fault === 'cut') return request.socket.destroy();
      response.writeHead(status, { 'Content-Type': 'application/json' });
      return response.end(JSON.stringify(said));
    });
  });
  return { ...(await listen(server)), sent, requests, faults };
}
