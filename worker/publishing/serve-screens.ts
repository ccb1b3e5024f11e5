/**
 * Serves the pages of the route table: frames from memory or, while the database is down, from the deployment; the
 * shells of screens from the deployed files, after their guard; and content pages that serve-content.ts did not
 * serve. Every response is `no-store` unless its route is public.
 */
import { eq } from 'drizzle-orm';
import type { Context } from 'hono';
import { restrictionsFor } from '../accounts/restrictions.ts';
import { answerAccountPage, hasLostSession, isAccountPage, lostSessionQuery } from '../accounts/pages.ts';
import { describeChosenPackage } from '../content/chosen-package.ts';
import type { Account } from '#contract/accounts.ts';
import { isCampaign } from '#contract/addresses.ts';
import { findScreen } from '#contract/all-screens.ts';
import { requirementTextFor, may } from '#contract/audience.ts';
import { isArticlePath, isRecordPath } from '#contract/articles.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import {
  contentFiles,
  isBelowAdmin,
  linkTo,
  screens,
  type Screen,
  type ShellName,
} from '#contract/screens.ts';
import { findNewestOrder } from '../orders/read.ts';
import { orders } from '../orders/schema.ts';
import type { AppEnv } from '../http/app.ts';
import { redirectWithin } from '../http/redirect.ts';
import { isTrial } from '../settings.ts';
import { answerFile, answerFrame, answerShellFile, liveStateFor } from './frames.ts';
import type { Live } from './page-set.ts';
import { stripeHosts, walletHeaders, type PolicyOptions } from './policy.ts';
import { renderRecordPage } from './record-pages.ts';
import { answerRedirect } from './redirects.ts';
import { answerLive } from './serve-content.ts';

async function answerContent(c: Context<AppEnv>, path: string): Promise<Response> {
  const { live, fresh } = await liveStateFor(c, path);
  const page = live?.pages.get(path);
  return page ? answerLive(c.req.raw, c.env, page, fresh) : answerFile(c, path);
}

/** A page of the route table that shows only content, unless a redirect from its address exists. */
async function answerContentScreen(c: Context<AppEnv>, { pattern }: Screen): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const moved = isCampaign(search) ? undefined : await answerRedirect(c);
  if (moved) return moved;
  // Each page has one canonical address. The other spelling, with or without the slash, redirects to it.
  return pathname === pattern ? answerContent(c, pattern) : redirectWithin(c, pattern + search, 308);
}

/**
 * Whether an article is missing from the sitemap of the last known state. If so, it was removed, and its deployed
 * page must not be served, even while the database is down.
 */
function isUnlisted(live: Live, path: string): boolean {
  const sitemap = live.pages.get('/sitemap.xml')?.html;
  return isArticlePath(path) && sitemap !== undefined && !sitemap.includes(`${path}</loc>`);
}

/** The deployed page of a record, while the database is down. @param live the last known state */
async function answerDeployedRecord(
  c: Context<AppEnv>,
  path: string,
  live: Live | undefined,
): Promise<Response> {
  if (live && isUnlisted(live, path)) return answerFrame(c, '/404', 404);
  const file = await answerFile(c, path);
  if (file.ok) return file;
  if (!path.startsWith(linkTo('articles'))) return answerFrame(c, '/404', 404);
  // We cannot know whether an article was added since the deployment.
  const answer = await answerFrame(c, '/404', 503);
  answer.headers.set('Retry-After', '30');
  return answer;
}

/**
 * A page from a record, or the redirect from its address.
 * @param path in lowercase, without a slash at its end
 */
async function answerRecord(c: Context<AppEnv>, path: string): Promise<Response> {
  const { pathname, search } = new URL(c.req.url);
  const list = path.replace(/\/page\/1$/, '');
  // The first page of a list has no number in its address.
  if (list !== path) return redirectWithin(c, (findScreen(list)?.screen.pattern ?? list) + search, 308);
  const { live, fresh } = await liveStateFor(c, path);
  const isKnown = fresh && live !== undefined;
  const page = live?.pages.get(path) ?? (isKnown ? await renderRecordPage(c.var.db, live, path) : undefined);
  if (page && pathname !== path) return redirectWithin(c, path + search, 308);
  if (page) return answerLive(c.req.raw, c.env, page, fresh);
  const moved = await answerRedirect(c);
  if (moved) return moved;
  return isKnown ? answerFrame(c, '/404', 404) : answerDeployedRecord(c, path, live);
}

async function answerShell(
  c: Context<AppEnv>,
  kind: ShellName,
  { takesCards = false }: Pick<Screen, 'takesCards'>,
): Promise<Response> {
  const options: PolicyOptions = takesCards
    ? { stripe: stripeHosts(c.env) }
    : kind === 'preview'
      ? { framedBySelf: true }
      : kind === 'admin'
        ? { framesSelf: true }
        : {};
  const answer = await answerShellFile(c, `/shell/${kind}`, options);
  if (kind === 'admin') return nameRole(answer, c.var.account, c.env);
  if (!takesCards) return answer;
  for (const [name, value] of Object.entries(walletHeaders(c.env))) answer.headers.set(name, value);
  return c.env.STRIPE_SCRIPT_URL ? nameStripeScript(answer, c.env.STRIPE_SCRIPT_URL) : answer;
}

/** Adds the address of Stripe.js to a page with the card form, if the settings contain one other than Stripe's. */
const nameStripeScript = (answer: Response, address: string): Response =>
  new HTMLRewriter()
    .on('head', {
      element(head) {
        const content = address.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
        head.append(`<meta name="stripe-script" content="${content}">`, { html: true });
      },
    })
    .transform(answer);

/**
 * Adds the caller's role and its restrictions to the admin page, so that the navigation is right at first paint.
 * Also adds whether to suggest a passkey, and whether the site is a trial.
 */
const nameRole = (answer: Response, account: Account | undefined, env: AppEnv['Bindings']): Response =>
  may(account, 'staff')
    ? new HTMLRewriter()
        .on('html', {
          element(html) {
            html.setAttribute('data-role', account?.role ?? '');
            html.setAttribute('data-has-passkey', account?.hasPasskey ? 'yes' : 'no');
            html.setAttribute('data-restrictions', restrictionsFor(env, account?.role).join(' '));
            if (isTrial(env)) html.setAttribute('data-trial', 'yes');
          },
        })
        .transform(answer)
    : answer;

/** Redirects an anonymous visitor of a protected page to the login page, which returns there after signing in. */
function toLogin(c: Context<AppEnv>): Response {
  const { pathname, search } = new URL(c.req.url);
  const query = `?next=${encodeURIComponent(pathname + search)}${hasLostSession(c) ? `&${lostSessionQuery}` : ''}`;
  return redirectWithin(c, linkTo('login') + query, 302);
}

/** The page at a path of the route table, after its guard. */
async function answerScreen(c: Context<AppEnv>, screen: Screen): Promise<Response> {
  const { account } = c.var;
  if (!may(account, screen.who)) {
    if (!account) return toLogin(c);
    // The account page says what must be done first.
    return requirementTextFor(account, screen.who) === undefined
      ? answerFrame(c, '/shell/denied', 403)
      : redirectWithin(c, linkTo('account'), 302);
  }
  if (screen.kind === 'content') return answerContentScreen(c, screen);
  if (isAccountPage(screen.pattern))
    return answerAccountPage(c, screen.pattern, {
      readPage: () => answerFrame(c, screen.pattern),
      describeNext: (next) => describeChosenPackage(c.var.db, next),
      // While the database is down, the page still opens and keeps `next`.
      findNewestOrder: (accountId) =>
        findNewestOrder(c.var.db, eq(orders.accountId, accountId)).catch(() => undefined),
    });
  if (screen.kind === 'frame') return answerFrame(c, screen.pattern);
  return answerShell(c, screen.kind, screen);
}

/** The 404 page. Staff keep the admin panel's frame below its address. */
async function answerMissing(c: Context<AppEnv>, path: string): Promise<Response> {
  if (!isBelowAdmin(path) || !may(c.var.account, screens.admin.who)) return answerFrame(c, '/404', 404);
  const { body, headers } = await answerShell(c, 'admin', {});
  return new Response(body, { status: 404, headers });
}

/** A deployed file, or else a redirect or the 404 page. */
async function answerAsset(c: Context<AppEnv>, path: string): Promise<Response> {
  const asset = await c.env.ASSETS.fetch(c.req.raw);
  // The asset server redirects other spellings of a file's name to the file, even to a shell.
  if (!asset.ok && asset.status !== 304) return (await answerRedirect(c)) ?? answerMissing(c, path);
  const headers = new Headers(asset.headers);
  headers.set('Cache-Control', 'public, max-age=3600');
  return new Response(asset.body, { status: asset.status, headers });
}

/** Everything outside the API: a page of the route table, a deployed file, or the 404 page. */
export async function answerPage(c: Context<AppEnv>): Promise<Response> {
  if (c.req.method !== 'GET' && c.req.method !== 'HEAD')
    return c.text('Pages can only be read.', 405, { Allow: 'GET, HEAD' });
  const { pathname: path, search } = new URL(c.req.url);
  const found = findScreen(path);
  if (found) return answerScreen(c, found.screen);
  // Links from elsewhere may spell a page with capitals.
  const lowercase = path.toLowerCase();
  if (findScreen(lowercase)) return redirectWithin(c, lowercase + search, 308);
  if (/^\/(shell|404)(\/|$|\.)/i.test(path)) return answerFrame(c, '/404', 404);
  if (contentFiles.includes(path)) return answerContent(c, path);
  const recordPath = withoutSlash(lowercase);
  return isRecordPath(recordPath) ? answerRecord(c, recordPath) : answerAsset(c, path);
}
