/**
 * Pages: content pages from memory or, when the database is away, from the deployment; plain pages and shells from
 * the deployed files, after the guard. Every answer is `no-store` unless its route says public.
 */
import type { Context } from 'hono';
import { answerAccountPage, isAccountPage } from '../accounts/pages.ts';
import { callPath, calls } from '../contract/calls.ts';
import { findScreen, type Screen } from '../contract/screens.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { belongsTo } from '../http/guard.ts';
import { requestIdOf } from '../http/request-id.ts';
import { commonHeaders } from '../http/security-headers.ts';
import { turnstileSiteKey } from '../inbox/turnstile.ts';
import { liveState, trustedPage, type LivePage } from './live.ts';
import { policyFor, stripeHosts, withTurnstile, type PolicyOptions } from './policy.ts';
import { cacheTags } from './purge.ts';

/** For the edge cache: fresh for 30 s, then served stale while it asks again, and for a day while we fail. */
const edgeCache = 'max-age=30, stale-while-revalidate=30, stale-if-error=86400';

const html = { 'Content-Type': 'text/html; charset=utf-8' } as const;

/** Whether the browser has these bytes already (RFC 9110, `If-None-Match`, weak comparison). */
function isKnown(header: string | null, etag: string): boolean {
  return (
    header !== null &&
    header.split(',').some((known) => known.trim() === '*' || known.trim().replace(/^W\//, '') === etag)
  );
}

/** Whether a page has the contact form, and the contact form its check. */
const hasCheck = (env: Env, page: string): boolean =>
  turnstileSiteKey(env) !== undefined && page.includes(callPath(calls.sendMessage.path));

interface Prepared {
  readonly body: Uint8Array<ArrayBuffer>;
  readonly headers: Headers;
}

/** Body and headers of the pages in memory: encoding the text anew is most of what an answer would cost. */
const prepared = new WeakMap<LivePage, Prepared>();

function prepare(env: Env, page: LivePage): Prepared {
  const known = prepared.get(page);
  if (known) return known;
  const headers = new Headers({
    ...commonHeaders,
    ...html,
    'Content-Security-Policy': hasCheck(env, page.html) ? withTurnstile(page.csp) : page.csp,
    'X-Content-Revision': String(page.revision),
    'Cache-Control': 'public, max-age=0, must-revalidate',
    'Cloudflare-CDN-Cache-Control': edgeCache,
    'Cache-Tag': cacheTags(page.path),
    ETag: page.etag,
  });
  const made = { body: new TextEncoder().encode(page.html), headers };
  prepared.set(page, made);
  return made;
}

/** @param fresh whether the page is known to be the live one; otherwise no cache may keep it */
function answerLive(request: Request, env: Env, page: LivePage, fresh: boolean): Response {
  const { body, headers: lasting } = prepare(env, page);
  const headers = new Headers(lasting);
  headers.set('X-Request-Id', requestIdOf(request));
  if (!fresh) {
    headers.set('Cache-Control', 'no-store');
    headers.delete('Cloudflare-CDN-Cache-Control');
    headers.delete('Cache-Tag');
  }
  return isKnown(request.headers.get('If-None-Match'), page.etag)
    ? new Response(null, { status: 304, headers })
    : new Response(body, { headers });
}

/**
 * The short way to a content page: when memory holds it and the database confirmed it within the last second, the
 * answer needs neither database nor middleware, and is not logged. Everything else goes the whole way through the app.
 */
export function answerFromMemory(request: Request, env: Env): Response | undefined {
  if (request.method !== 'GET') return undefined;
  const page = trustedPage(new URL(request.url).pathname);
  return page && answerLive(request, env, page, true);
}

const policies = new Map<string, Promise<string>>();

/** A deployed HTML file with its policy; deployed files never change, so each policy is computed once. */
async function answerFile(
  c: Context<AppEnv>,
  file: string,
  status: number,
  options: PolicyOptions = {},
): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(new Request(new URL(file, c.req.url)));
  if (!asset.ok) return notBuilt(c);
  const body = await asset.text();
  const policy = policies.get(file) ?? policyFor(body, { turnstile: hasCheck(c.env, body), ...options });
  policies.set(file, policy);
  return new Response(body, { status, headers: { ...html, 'Content-Security-Policy': await policy } });
}

/** An honest answer for a page that this deployment does not have yet. */
const notBuilt = (c: Context<AppEnv>): Response =>
  c.html(
    '<!doctype html><html lang="en"><title>Not built yet</title><h1>This page is not built yet.</h1></html>',
    501,
  );

async function answerContent(c: Context<AppEnv>, screen: Screen): Promise<Response> {
  const { live, fresh } = await liveState(c.var.db, (work) => c.executionCtx.waitUntil(work));
  const page = live?.pages.get(screen.pattern);
  return page ? answerLive(c.req.raw, c.env, page, fresh) : answerFile(c, screen.pattern, 200);
}

async function answerShell(
  c: Context<AppEnv>,
  kind: Exclude<Screen['kind'], 'content' | 'file'>,
): Promise<Response> {
  const options: PolicyOptions =
    kind === 'pay'
      ? { stripe: stripeHosts(c.env) }
      : kind === 'preview'
        ? { framedBySelf: true }
        : kind === 'admin'
          ? { framesSelf: true }
          : {};
  const answer = await answerFile(c, `/shell/${kind}`, 200, options);
  return kind === 'pay' && c.env.STRIPE_SCRIPT_URL
    ? nameStripeScript(answer, c.env.STRIPE_SCRIPT_URL)
    : answer;
}

/** Tells the payment page where Stripe.js is, when the settings name another place than Stripe's own. */
const nameStripeScript = (answer: Response, address: string): Response =>
  new HTMLRewriter()
    .on('head', {
      element(head) {
        const content = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        head.append(`<meta name="stripe-script" content="${content}">`, { html: true });
      },
    })
    .transform(answer);

/** Where an anonymous visitor of a protected page goes first; after sign-in they land where they wanted to. */
function toLogin(c: Context<AppEnv>): Response {
  const { pathname, search } = new URL(c.req.url);
  return c.redirect(`/login?next=${encodeURIComponent(pathname + search)}`, 302);
}

/** The page at a path of the route table, after its guard. */
export async function answerScreen(c: Context<AppEnv>, screen: Screen): Promise<Response> {
  if (!belongsTo(screen.who, c.var.account))
    return c.var.account ? answerFile(c, '/shell/denied', 403) : toLogin(c);
  if (screen.kind === 'content') return answerContent(c, screen);
  if (isAccountPage(screen.pattern))
    return answerAccountPage(c, screen.pattern, () => answerFile(c, screen.pattern, 200));
  if (screen.kind === 'file') return answerFile(c, screen.pattern, 200);
  return answerShell(c, screen.kind);
}

/** Everything outside the API: a page of the route table, a deployed file, or the 404 page. */
export async function answerPage(c: Context<AppEnv>): Promise<Response> {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
    return c.text('Pages can only be read.', 405, { Allow: 'GET, HEAD' });
  const path = new URL(c.req.url).pathname;
  const found = findScreen(path);
  if (found) {
    const { screen } = found;
    // One address a page: the other spelling of its slash leads there.
    if (screen.kind === 'content' && path !== screen.pattern)
      return c.redirect(screen.pattern + new URL(c.req.url).search, 308);
    return answerScreen(c, screen);
  }
  if (/^\/(shell|404)(\/|$|\.)/i.test(path)) return answerFile(c, '/404', 404);
  const asset = await c.env.ASSETS.fetch(c.req.raw);
  // The asset server would lead other spellings of a file's name to the file itself, a shell's too.
  if (!asset.ok && asset.status !== 304) return answerFile(c, '/404', 404);
  const headers = new Headers(asset.headers);
  headers.set('Cache-Control', 'public, max-age=3600');
  return new Response(asset.body, { status: asset.status, headers });
}
