/**
 * Redirects from old addresses. They are checked when they are saved. Before it serves the 404 page, the Worker
 * looks them up in a frame, so that they are published and available like the pages.
 */
import type { Context } from 'hono';
import * as z from 'zod';
import { isCampaign, isSafeAddress } from '#contract/addresses.ts';
import { findScreen } from '#contract/all-screens.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { redirectsFrame } from '#contract/screens.ts';
import { isReserved, ownPaths, pathOf, removedPathsIn } from '../content/article-rules.ts';
import type { RecordChange } from '../content/edits.ts';
import type { StoredContent } from '../content/stored.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { conflict, invalid } from '../http/errors.ts';
import { redirectMoved } from '../http/redirect.ts';
import { isPicture } from '../media/uses.ts';
import { readFrame } from './frames.ts';
import { recordPagesOf } from './record-pages.ts';
import { checkLinks, internalPaths, pathExists, type RenderedPage } from './render.ts';

const redirects = z.array(z.object({ from: z.string(), to: z.string() }));
type Redirect = z.infer<typeof redirects>[number];

/** The canonical spelling of a percent-encoded character (RFC 3986, section 6.2.2). */
function normalizeEncoded(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16));
  return /[\w.~-]/.test(character) ? character : encoded;
}

/** The URL of an address on this site. The host is prepended, because `//old` alone would be parsed as a host. */
const urlOf = (address: string): URL | null => URL.parse(`http://site.invalid${address}`);

/**
 * The canonical spelling of a path: encoded as a browser requests it, without a trailing slash, in lowercase. Sites on
 * Windows ignored case, so old links mix it.
 */
const keyOf = (path: string): string =>
  withoutSlash((urlOf(path)?.pathname ?? path).replace(/%[0-9a-f]{2}/gi, normalizeEncoded)).toLowerCase();

/** The parameters of a query, each in the canonical spelling of `name=value`. */
const parametersOf = (search: string): string[] =>
  Array.from(new URLSearchParams(search), (parameter) => new URLSearchParams([parameter]).toString());

const queryOf = (from: string): string[] => parametersOf(urlOf(from)?.search ?? '');

/** Whether two addresses are the same, however they are spelled. */
const isSameAddress = (one: string, other: string): boolean =>
  keyOf(one) === keyOf(other) && queryOf(one).toSorted().join('&') === queryOf(other).toSorted().join('&');

/**
 * Finds the redirect from an address. The path must be equal, and the address must have all parameters of the
 * redirect. Of several matches, the one with the most parameters wins.
 */
function findRedirect<R extends { readonly from: string }>(
  all: readonly R[],
  address: Pick<URL, 'pathname' | 'search'>,
): R | undefined {
  const key = keyOf(address.pathname);
  const asked = new Set(parametersOf(address.search));
  return all
    .filter(({ from }) => keyOf(from) === key && queryOf(from).every((parameter) => asked.has(parameter)))
    .toSorted((one, other) => queryOf(other.from).length - queryOf(one.from).length)[0];
}

/**
 * The target of a redirect from an address. Parameters that the target does not set are passed on, so that campaign
 * visits still count.
 */
function targetOf({ from, to }: Redirect, address: URL): URL {
  const target = new URL(to, address);
  const named = queryOf(from);
  if (target.search === '')
    target.search =
      named.length === 0
        ? address.search
        : parametersOf(address.search)
            .filter((parameter) => !named.includes(parameter))
            .join('&');
  return target;
}

/** The address on this site to which a redirect points; undefined if it is on another site. */
function addressWithin(to: string, siteUrl: string): URL | undefined {
  const url = URL.parse(to, siteUrl);
  // We compare only the host, because `http:` leads to this site too.
  return url?.host === new URL(siteUrl).host ? url : undefined;
}

/** The chain of redirects that leads back to its start; undefined if there is none. */
function circleFrom(start: Redirect, all: readonly Redirect[], siteUrl: string): string[] | undefined {
  const way = [start];
  for (let address = new URL(start.from, siteUrl), at = start; ;) {
    const target = addressWithin(targetOf(at, address).href, siteUrl);
    const next = target && findRedirect(all, target);
    if (!target || !next) return undefined;
    if (way.some(({ from }) => from === next.from))
      return [...way, next].map(({ from }) => withoutSlash(from));
    [address, at] = [target, next];
    way.push(next);
  }
}

const redirectsOf = (records: StoredContent['redirect']): Redirect[] =>
  records.map(({ values: { from = '', to = '' } }) => ({ from, to }));

/** The paths of the redirects that match any query. */
const keysOf = (all: StoredContent['redirect']): ReadonlySet<string> =>
  new Set(
    redirectsOf(all)
      .filter(({ from }) => queryOf(from).length === 0)
      .map(({ from }) => keyOf(from)),
  );

/** Whether the content has a picture or the page of an article at a path, with or without a slash at its end. */
const isInContent = (content: StoredContent, path: string): boolean => {
  const pages = recordPagesOf(content);
  return isPicture(content.media, path) || pages.has(path) || pages.has(withoutSlash(path));
};

/** The paths of redirects and articles that no longer exist after changes. */
export const removedPaths = (
  content: StoredContent,
  changes: readonly RecordChange[],
): ReadonlySet<string> => {
  const { redirect } = content;
  const keys = keysOf(redirect);
  const articles = changes.flatMap(({ section, before }) =>
    section === 'article' && before ? [pathOf(before)] : [],
  );
  return new Set(
    [...formerOf(changes).map(({ from }) => keyOf(from)), ...articles].filter(
      (path) => !keys.has(path) && !isInContent(content, path),
    ),
  );
};

const formerOf = (changes: readonly RecordChange[]): Redirect[] =>
  redirectsOf(changes.flatMap(({ section, before }) => (section === 'redirect' && before ? [before] : [])));

/**
 * Refuses pages that link to a path on this site without a page, a picture or a redirect.
 * @param content as it would be
 * @param pages the pages after the changes: those that changed, and all. Of the latter, we check only those that
 * link to a removed path.
 * @throws ApiError 422 that names page and field
 */
export async function checkPages(
  content: StoredContent,
  changes: readonly RecordChange[],
  pages: { readonly changed: readonly RenderedPage[]; readonly all: Iterable<RenderedPage> },
  { ASSETS }: Pick<Env, 'ASSETS'>,
): Promise<void> {
  const { redirect } = content;
  const keys = keysOf(redirect);
  const left = removedPaths(content, changes);
  const linksToLeft = ({ html }: RenderedPage) =>
    [...internalPaths(html)].some((path) => left.has(keyOf(path)));
  const losing = left.size > 0 ? [...pages.all].filter(linksToLeft) : [];
  const leadsOn = (path: string) => keys.has(keyOf(path)) || isInContent(content, path);
  await checkLinks([...pages.changed, ...losing], changes, ASSETS, leadsOn);
}

/** Refuses to remove a redirect or an article that a redirect leads to. @throws ApiError 409 */
async function checkLeft(
  content: StoredContent,
  changes: readonly RecordChange[],
  { ASSETS, SITE_URL }: Pick<Env, 'ASSETS' | 'SITE_URL'>,
): Promise<void> {
  const { redirect } = content;
  const left = redirectsOf(redirect);
  const formers = [...formerOf(changes).map(({ from }) => from), ...removedPathsIn(changes)];
  for (const from of formers) {
    for (const other of left) {
      const target = addressWithin(other.to, SITE_URL);
      if (!target || !findRedirect([{ from }], target) || findRedirect(left, target)) continue;
      if (!isInContent(content, target.pathname) && !(await pathExists(target.pathname, ASSETS)))
        throw conflict(
          `The redirect from ${other.from} leads to ${from}. Change the target of that redirect first.`,
        );
    }
  }
}

/** Whether the site already serves an address, so that a redirect from it would never be reached. */
async function isInUse(content: StoredContent, from: string, assets: Env['ASSETS']): Promise<boolean> {
  const key = keyOf(from);
  if (recordPagesOf(content).has(key)) return true;
  // For a content page, redirects with a query are looked up first.
  if (findScreen(key)?.screen.kind === 'content') return isCampaign(urlOf(from)?.search ?? '');
  // Some screens and files have capitals.
  const spelled = withoutSlash(urlOf(from)?.pathname ?? from);
  return ownPaths.test(key) || (await pathExists(key, assets)) || pathExists(spelled, assets);
}

/**
 * Refuses redirects from a path in use, to a page that does not exist, or in a loop.
 * @param content as it would be
 * @throws ApiError 422 that names the field, 409 if another redirect would lose its target
 */
export async function checkRedirects(
  content: StoredContent,
  changes: readonly RecordChange[],
  env: Pick<Env, 'ASSETS' | 'SITE_URL'>,
): Promise<void> {
  const { ASSETS, SITE_URL } = env;
  const { redirect: all } = content;
  await checkLeft(content, changes, env);
  const changed = changes.flatMap(({ section, after }) => (section === 'redirect' && after ? [after] : []));
  const left = redirectsOf(all);
  for (const { _id, values } of changed) {
    const { from = '', to = '' } = values;
    if (await isInUse(content, from, ASSETS))
      throw invalid({
        from: `${from} already leads to a page, so a redirect from it would not work. Choose another address.`,
      });
    if (all.some((other) => other._id !== _id && isSameAddress(other.values['from'] ?? '', from)))
      throw invalid({ from: `There is already a redirect from ${from}.` });
    if (!/^(\/|https?:)/i.test(to))
      throw invalid({ to: 'Use a path on this site (/…) or a web address (https://…).' });
    const circle = circleFrom({ from, to }, left, SITE_URL);
    if (circle) throw invalid({ to: `This redirect leads back to itself: ${circle.join(' → ')}.` });
    const target = addressWithin(to, SITE_URL);
    if (!target || findRedirect(left, target) || isInContent(content, target.pathname)) continue;
    if (!(await pathExists(target.pathname, ASSETS)))
      throw invalid({ to: `There is no page at ${target.pathname} on this site.` });
  }
}

/**
 * Refuses an article at a path that is taken by a page, a screen, a call or a redirect.
 * @param content as it would be
 * @throws ApiError 422 that names the field
 */
export function checkArticlePaths({ redirect }: StoredContent, changes: readonly RecordChange[]): void {
  for (const { section, action, after } of changes) {
    if (section !== 'article' || !after) continue;
    const path = pathOf(after);
    if (after.values['kind'] === 'page' && isReserved(path))
      throw invalid({ slug: `The address ${path} is already in use on this site. Choose another one.` });
    if (keysOf(redirect).has(keyOf(path)))
      throw invalid({
        slug:
          action === 'restored'
            ? `There is a redirect from ${path}. Remove that redirect, then restore this article.`
            : `There is a redirect from ${path}. Choose another address, or remove the redirect first.`,
      });
  }
}

/** @returns undefined if there is none */
export async function answerRedirect(c: Context<AppEnv>): Promise<Response | undefined> {
  const address = new URL(c.req.url);
  const known = redirects.parse(JSON.parse(await readFrame(c, redirectsFrame)));
  const found = findRedirect(known, address);
  if (!found || !isSafeAddress(found.to, 'link')) return undefined;
  const target = targetOf(found, address);
  const isLoop =
    target.host === address.host &&
    isSameAddress(target.pathname + target.search, address.pathname + address.search);
  return isLoop ? undefined : redirectMoved(c, target);
}
