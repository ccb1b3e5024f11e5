/**
 * Redirects: where visitors of an old address are sent. They are checked when saved, and looked up in a frame before
 * the 404 page, so that they are published and available like the pages.
 */
import type { Context } from 'hono';
import * as z from 'zod';
import { isSafeAddress } from '#contract/addresses.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { redirectsFrame } from '#contract/screens.ts';
import type { RecordChange } from '../content/edits.ts';
import type { StoredContent } from '../content/reader.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { redirectMoved } from '../http/redirect.ts';
import { isPicture } from '../media/uses.ts';
import { readFrame } from './frames.ts';
import { checkLinks, internalPaths, pathExists, type RenderedPage } from './render.ts';

const redirects = z.array(z.object({ from: z.string(), to: z.string() }));

/** Paths that the Worker handles itself, so that a redirect from them would never be looked up. */
const ownPaths = /^\/(api|_astro|cdn-cgi|dev|media|preview|shell|revision\.json|404)(\/|\.|$)/i;

/** One spelling of a path: encoded as a browser asks for it, without the slash at its end. */
const keyOf = (path: string): string =>
  withoutSlash(URL.parse(path, 'http://site.invalid')?.pathname ?? path);

/** The path on this site that a redirect leads to; undefined where it leads to another site. */
function pathTo(to: string, siteUrl: string): string | undefined {
  const url = URL.parse(to, siteUrl);
  // By the host alone: `http:` leads to this site as well.
  return url?.host === new URL(siteUrl).host ? url.pathname : undefined;
}

/** The redirects from a path that lead back to it, or undefined. */
function circleFrom(start: string, targets: ReadonlyMap<string, string>, siteUrl: string) {
  const way = [start];
  for (let path: string | undefined = start; ;) {
    path = pathTo(targets.get(keyOf(path)) ?? '', siteUrl);
    if (path === undefined || !targets.has(keyOf(path))) return undefined;
    if (way.includes(keyOf(path))) return [...way, keyOf(path)];
    way.push(keyOf(path));
  }
}

const keysOf = (all: StoredContent['redirect']): ReadonlySet<string> =>
  new Set(all.map(({ values }) => keyOf(values['from'] ?? '')));

/** The addresses from which changes take the redirect away. @param all the redirects that are left */
function leftBy(all: StoredContent['redirect'], changes: readonly RecordChange[]): string[] {
  const keys = keysOf(all);
  return changes
    .flatMap(({ section, before }) => (section === 'redirect' && before ? [before.values['from'] ?? ''] : []))
    .filter((from) => !keys.has(keyOf(from)));
}

/**
 * Refuses pages that link to a path of this site where there is neither a page, nor a picture, nor a redirect.
 * @param content as it would be
 * @param pages as they would be: those that changed, and all, of which those are checked too that link to a redirect that goes
 * @throws ApiError 422 that names page and field
 */
export async function checkPages(
  { media, redirect }: StoredContent,
  changes: readonly RecordChange[],
  pages: { readonly changed: readonly RenderedPage[]; readonly all: Iterable<RenderedPage> },
  { ASSETS }: Pick<Env, 'ASSETS'>,
): Promise<void> {
  const keys = keysOf(redirect);
  const left = new Set(leftBy(redirect, changes).map(keyOf));
  const linksToLeft = ({ html }: RenderedPage) =>
    [...internalPaths(html)].some((path) => left.has(keyOf(path)));
  const losing = left.size > 0 ? [...pages.all].filter(linksToLeft) : [];
  const isInContent = (path: string) => keys.has(keyOf(path)) || isPicture(media, path);
  await checkLinks([...pages.changed, ...losing], changes, ASSETS, isInContent);
}

/** Refuses to remove an address that another redirect leads to. @throws ApiError 409 */
async function checkLeft(
  all: StoredContent['redirect'],
  changes: readonly RecordChange[],
  { ASSETS, SITE_URL }: Pick<Env, 'ASSETS' | 'SITE_URL'>,
): Promise<void> {
  for (const path of leftBy(all, changes)) {
    const other = all.find(({ values }) => keyOf(pathTo(values['to'] ?? '', SITE_URL) ?? '') === keyOf(path));
    if (other && !(await pathExists(keyOf(path), ASSETS)))
      throw conflict(
        `The redirect from ${other.values['from'] ?? ''} leads to ${path}. Change where it goes first.`,
      );
  }
}

/**
 * Refuses redirects from a path in use, to a page that does not exist, or in a circle.
 * @param content as it would be
 * @throws ApiError 422 that names the field, 409 where another redirect would lead nowhere
 */
export async function checkRedirects(
  content: StoredContent,
  changes: readonly RecordChange[],
  env: Pick<Env, 'ASSETS' | 'SITE_URL'>,
): Promise<void> {
  const { ASSETS, SITE_URL } = env;
  const { media, redirect: all } = content;
  await checkLeft(all, changes, env);
  const changed = changes.flatMap(({ section, after }) => (section === 'redirect' && after ? [after] : []));
  const targets = new Map(all.map(({ values }) => [keyOf(values['from'] ?? ''), values['to'] ?? '']));
  for (const { _id, values } of changed) {
    const { from = '', to = '' } = values;
    const key = keyOf(from);
    if (ownPaths.test(key) || (await pathExists(key, ASSETS)))
      throw invalid({ from: `${from} is in use: a redirect would never be reached.` });
    if (all.some((other) => other._id !== _id && keyOf(other.values['from'] ?? '') === key))
      throw invalid({ from: `There is already a redirect from ${from}.` });
    if (!/^(\/|https?:)/i.test(to))
      throw invalid({ to: 'Use a path on this site (/…) or a web address (https://…).' });
    const circle = circleFrom(key, targets, SITE_URL);
    if (circle) throw invalid({ to: `This redirect leads back to itself: ${circle.join(' → ')}.` });
    const path = pathTo(to, SITE_URL);
    if (path === undefined || targets.has(keyOf(path)) || isPicture(media, path)) continue;
    if (!(await pathExists(path, ASSETS))) throw invalid({ to: `There is no page at ${path} on this site.` });
  }
}

/** Redirects from an old address. @returns undefined where there is no redirect from it */
export async function answerRedirect(c: Context<AppEnv>): Promise<Response | undefined> {
  const { pathname, search } = new URL(c.req.url);
  const known = redirects.parse(JSON.parse(await readFrame(c, redirectsFrame)));
  const to = known.find(({ from }) => keyOf(from) === keyOf(pathname))?.to;
  if (to === undefined || !isSafeAddress(to, 'link')) return undefined;
  const target = new URL(to, c.req.url);
  // The query is passed on, so that a campaign's visitors are still counted.
  if (target.search === '') target.search = search;
  return redirectMoved(c, target);
}
