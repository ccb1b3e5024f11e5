/**
 * The production Worker with the parts that only the local setup has: the mailbox, the dashboard of the Stripe
 * stand-in, the demo's files, and a URL for its cached entrypoint.
 */
import worker from '#worker/index.ts';
import type { Env } from '#worker/env.ts';
import { deliverRawMail, writeRawMail, type Reply } from './mailbox/reply.ts';

interface LocalEnv extends Env {
  readonly MAILBOX: Fetcher;
}

const filesPrefix = '/dev/files/';

/** Stores a file of the demo's initial content (dev/seed/pictures.ts). */
async function putFile(request: Request, { FILES }: LocalEnv): Promise<Response> {
  const key = new URL(request.url).pathname.slice(filesPrefix.length);
  const contentType = request.headers.get('Content-Type') ?? '';
  const bytes = await request.arrayBuffer();
  if (!(await FILES.head(key))) await FILES.put(key, bytes, { httpMetadata: { contentType } });
  return new Response(null, { status: 204 });
}

const textIn = (form: FormData, name: string): string => {
  const value = form.get(name);
  return typeof value === 'string' ? value : '';
};

async function readReply(request: Request): Promise<Reply> {
  const form = await request.formData();
  const files = (form.getAll('file') as unknown as (File | string)[]).filter(
    (file): file is File => typeof file !== 'string' && file.size > 0,
  );
  return {
    from: textIn(form, 'from'),
    to: textIn(form, 'to'),
    subject: textIn(form, 'subject'),
    text: textIn(form, 'text'),
    quoted: textIn(form, 'quoted'),
    files: await Promise.all(
      files.map(async (file) => ({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) })),
    ),
  };
}

/**
 * Receives an email like Cloudflare Email Routing would deliver it: an answer written in the mailbox, or a raw email
 * with its envelope in the query. For a raw email, the reason of a refusal is returned as JSON.
 */
async function takeLocalMail(request: Request, env: LocalEnv, context: ExecutionContext): Promise<Response> {
  const handler = (delivery: ForwardableEmailMessage) => worker.email(delivery, env, context);
  if (request.headers.get('Content-Type') === 'message/rfc822') {
    const { searchParams } = new URL(request.url);
    const [from, to] = [searchParams.get('from') ?? '', searchParams.get('to') ?? ''];
    return Response.json({ refusal: await deliverRawMail(handler, { from, to, raw: await request.text() }) });
  }
  const reply = await readReply(request);
  const refusal = await deliverRawMail(handler, { ...reply, raw: writeRawMail(reply) });
  return refusal === null
    ? new Response(null, { status: 303, headers: { Location: mailboxPath } })
    : new Response(`The mail came back: ${refusal}`, { status: 422 });
}

const mailboxPath = '/dev/mailbox';
const pagesPrefix = '/dev/pages';
const stripePrefix = '/dev/stripe';

export { Media, Pages } from '#worker/index.ts';

export default {
  ...worker,
  fetch(request, env, context) {
    const { pathname } = new URL(request.url);
    if (pathname === mailboxPath)
      return request.method === 'POST' ? takeLocalMail(request, env, context) : env.MAILBOX.fetch(request);
    // With a real key, Stripe's own dashboard does this.
    if (pathname.startsWith(stripePrefix) && env.STRIPE_API_URL)
      return fetch(new Request(new URL(pathname, env.STRIPE_API_URL), request), { redirect: 'manual' });
    if (pathname.startsWith(filesPrefix) && request.method === 'PUT') return putFile(request, env);
    // The entrypoint behind the shared cache. Tests call it instead of the cache.
    if (pathname.startsWith(pagesPrefix)) {
      const { Pages } = context.exports as unknown as { readonly Pages: Fetcher };
      return Pages.fetch(new Request(new URL(pathname.slice(pagesPrefix.length), request.url), request));
    }
    return worker.fetch(request, env, context);
  },
} satisfies ExportedHandler<LocalEnv>;
