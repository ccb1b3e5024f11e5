/**
 * Serves pages that depend on the request: deployed files, and frames, which every save renders from the content. The
 * caller inserts the notice, values and links of the request. No cache stores them.
 */
import type { Context } from 'hono';
import type { AppEnv } from '../http/app.ts';
import { liveState, type Served } from './live.ts';
import type { LivePage } from './page-set.ts';
import { hasTurnstile, policyFor, policyOfPage, type PolicyOptions } from './policy.ts';

export const htmlType = { 'Content-Type': 'text/html; charset=utf-8' } as const;

const filePolicies = new Map<string, Promise<string>>();

/** The Content-Security-Policy of a deployed file, computed once for each key. @param key all that it depends on */
function policyOfFile(
  c: Context<AppEnv>,
  key: string,
  body: string,
  options: PolicyOptions = {},
): Promise<string> {
  const policy =
    filePolicies.get(key) ?? policyFor(body, { turnstile: hasTurnstile(c.env, body), ...options });
  filePolicies.set(key, policy);
  return policy;
}

const answerHtml = (body: string, status: number, policy: string): Response =>
  new Response(body, { status, headers: { ...htmlType, 'Content-Security-Policy': policy } });

/** The response for a page that this deployment does not contain yet. */
const notBuilt = (c: Context<AppEnv>): Response =>
  c.html(
    '<!doctype html><html lang="en"><title>Not built yet</title><h1>This page is not built yet.</h1></html>',
    501,
  );

/** The text of a deployed file; undefined if this deployment does not contain it. */
async function readDeployed(c: Context<AppEnv>, file: string): Promise<string | undefined> {
  const asset = await c.env.ASSETS.fetch(new Request(new URL(file, c.req.url)));
  return asset.ok ? asset.text() : undefined;
}

export async function answerFile(c: Context<AppEnv>, file: string, status = 200): Promise<Response> {
  const body = await readDeployed(c, file);
  if (body === undefined) return notBuilt(c);
  return answerHtml(body, status, await policyOfFile(c, file, body));
}

export const liveStateFor = (c: Context<AppEnv>, path: string): Promise<Served> =>
  liveState(c.var.db, c.env, (work) => c.executionCtx.waitUntil(work), { path });

async function findFrame(c: Context<AppEnv>, path: string): Promise<LivePage | undefined> {
  const { live } = await liveStateFor(c, path);
  return live?.frames.get(path);
}

/** A live frame, or the deployed one while the database is down. @param path one of `framePaths` */
export async function answerFrame(c: Context<AppEnv>, path: string, status = 200): Promise<Response> {
  const frame = await findFrame(c, path);
  return frame ? answerHtml(frame.html, status, policyOfPage(c.env, frame)) : answerFile(c, path, status);
}

/** The text of a frame for the Worker's own use; the deployed one while the database is down. */
export async function readFrame(c: Context<AppEnv>, path: string): Promise<string> {
  const frame = await findFrame(c, path);
  return frame?.html ?? (await readDeployed(c, path)) ?? '';
}

/** The elements of the brand in a shell's head (site/layouts/BrandHead.astro): the first one and the others. */
const firstOfBrand = 'meta[property="og:site_name"]';
const restOfBrand =
  'meta[name="theme-color"], link[rel="icon"], link[rel="apple-touch-icon"], style[data-brand]';

/** A deployed shell with the firm's live brand, the site's time zone, and the default country of order forms. */
export async function answerShellFile(
  c: Context<AppEnv>,
  file: string,
  options: PolicyOptions,
): Promise<Response> {
  const [body, brand] = await Promise.all([readDeployed(c, file), findFrame(c, '/shell/brand')]);
  if (body === undefined) return notBuilt(c);
  const [head = '', logo = ''] = brand?.html.split('<hr>') ?? [];
  const key = `${file} ${JSON.stringify(options)} ${brand?.etag ?? ''}`;
  const policy = await policyOfFile(c, key, body + head, options);
  const rewriter = new HTMLRewriter().on('html', {
    element(html) {
      html.setAttribute('data-time-zone', c.env.SITE_TIMEZONE);
      if (c.env.SITE_COUNTRY) html.setAttribute('data-country', c.env.SITE_COUNTRY);
    },
  });
  if (brand)
    rewriter
      .on(firstOfBrand, { element: (part) => void part.replace(head, { html: true }) })
      .on(restOfBrand, { element: (part) => void part.remove() })
      .on('a[data-logo]', { element: (home) => void home.replace(logo, { html: true }) });
  return rewriter.transform(answerHtml(body, 200, policy));
}

/** Responds with a frame. Features receive it as a parameter, so that they do not depend on publishing. */
export type FrameAnswer = typeof answerFrame;
