/**
 * Serves the sign-in pages. The Worker fills the placeholders of a prerendered frame for each request, so the
 * pages work without JavaScript.
 */
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { safeNext, signInTexts, verifiedQuery } from '#contract/account-rules.ts';
import type { Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { findLinkedScreen, packageToOrder } from '#contract/all-screens.ts';
import { isId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { type Notice, consumeNoticeCookie } from '../http/forms.ts';
import { redirectWithin } from '../http/redirect.ts';
import { isGoogleEnabled } from './google.ts';
import { invitationProblem } from './invitations.ts';
import { findLinkOwner } from './links.ts';

/**
 * The pages whose address contains the secret of an emailed link. They send no referrer, so other pages do not learn
 * the secret.
 */
const mailedPages: ReadonlySet<string> = new Set([
  linkTo('verifyEmail'),
  linkTo('resetPassword'),
  linkTo('invitation'),
  linkTo('confirmSubscription'),
  linkTo('unsubscribe'),
]);

const accountPages: ReadonlySet<string> = new Set([
  linkTo('login'),
  linkTo('register'),
  linkTo('reset'),
  linkTo('recovery'),
  ...mailedPages,
]);
const maxTokenLength = 256;

/** Whether a page is a sign-in page or the target of another emailed link. */
export const isAccountPage = (path: string): boolean => accountPages.has(path);

const remove = (rewriter: HTMLRewriter, selector: string): HTMLRewriter =>
  rewriter.on(selector, { element: (part) => void part.remove() });

const setAttribute = (rewriter: HTMLRewriter, selector: string, name: string, value: string): HTMLRewriter =>
  rewriter.on(selector, { element: (part) => void part.setAttribute(name, value) });

/** Shows hidden elements. @param text replaces their content */
const reveal = (rewriter: HTMLRewriter, selector: string, text?: string): HTMLRewriter =>
  rewriter.on(selector, {
    element(place) {
      place.removeAttribute('hidden');
      if (text !== undefined) place.setInnerContent(text);
    },
  });

/** Shows the outcome of the form that was just submitted. */
function showNotice(rewriter: HTMLRewriter, { kind, text, errors, email }: Notice): void {
  if (kind === 'done') remove(rewriter, '[data-until-done]');
  let besideFields = false;
  for (const [name, error] of Object.entries(errors)) {
    if (!/^(email|password|code)$/.test(name)) continue;
    besideFields = true;
    reveal(rewriter, `#${name}-error`, error).on(`input[name="${name}"]`, {
      element(input) {
        input.setAttribute('aria-invalid', 'true');
        // Keeps the field's help text in the description.
        const described = [`${name}-error`, input.getAttribute('aria-describedby') ?? ''];
        input.setAttribute('aria-describedby', described.join(' ').trim());
      },
    });
  }
  if (!besideFields) {
    reveal(rewriter, '[data-notice]', text);
    setAttribute(rewriter, '[data-notice]', 'role', kind === 'problem' ? 'alert' : 'status');
  }
  if (email) setAttribute(rewriter, 'input[name="email"]', 'value', email);
}

/**
 * Whether a browser stored the plain cookie of a sign-in but not the secure one. Safari does that on
 * `http://localhost`; other browsers store both.
 */
export const hasLostSession = (c: Context<AppEnv>): boolean =>
  c.req.url.startsWith('http:') &&
  getCookie(c, 'signed-in') !== undefined &&
  getCookie(c, 'session', 'host') === undefined;

/** Tells the login page about a lost session. By then, the cookie is gone. */
export const lostSessionQuery = 'session=lost';

/** A notice that does not result from a form. */
const noticeOf = (page: string, text: string, kind: Notice['kind'] = 'problem'): Notice => ({
  page,
  kind,
  text,
  errors: {},
  email: '',
});

const lostSession = noticeOf(
  linkTo('login'),
  'This browser does not keep secure cookies from an address that begins with http://. Safari, for example, does not keep them on localhost. Please open this page in Chrome or Firefox.',
);

interface AccountPageParts {
  /** Reads the frame with its headers. */
  readonly readPage: () => Promise<Response>;
  /** Describes the page to continue to after sign-in; undefined if there is nothing to say. */
  readonly describeNext: (next: string) => Promise<string | undefined>;
  /** The path of an account's newest order; undefined if it has none. */
  readonly findNewestOrder: (accountId: string) => Promise<string | undefined>;
}

/**
 * Where a verification link continues to. If the person was about to order when the link was emailed, and has ordered
 * since, it continues to the order.
 */
async function nextOfVerification(
  ownerId: string | undefined,
  asked: string,
  findNewestOrder: AccountPageParts['findNewestOrder'],
): Promise<string> {
  const isOrdering = packageToOrder(asked) !== undefined;
  const order = isOrdering && ownerId !== undefined ? await findNewestOrder(ownerId) : undefined;
  return order ?? asked.replace(/[?#].*/s, '');
}

/** An order that staff placed appears only in the account with its email. Pay links and emails point here. */
const orderNote = (path: string, next: string): string | undefined =>
  (path === linkTo('register') || path === linkTo('login')) &&
  findLinkedScreen(next)?.screen.name === 'myOrder'
    ? 'To see the order, use the email address that it was placed for.'
    : undefined;

/** The page to open after sign-in when `next` is not set. */
export const homeOf = (account: Pick<Account, 'role' | 'lacks'>): string =>
  linkTo(may(account, 'staff') ? 'admin' : 'dashboard');

/** What a page knows about its emailed link. */
interface LinkState {
  /** The id of the account that the link was emailed to; undefined if it is unknown. */
  readonly ownerId?: string | undefined;
  /** Why the link does not work; undefined if it may work. */
  readonly notice?: Notice | undefined;
}

const overText = 'This link has already been used or has expired.';

/** A verification or reset link that was used, has expired or never existed. */
function overLink(path: string, account: Account | undefined): Notice {
  if (path !== linkTo('verifyEmail')) return noticeOf(path, signInTexts.linkOver);
  return account?.emailVerified
    ? noticeOf(path, `${overText} Your email ${account.email} is verified.`, 'done')
    : noticeOf(
        path,
        `${overText} If your email is not verified yet, your dashboard offers a new one. If you wanted to change your email, ask again in your account.`,
      );
}

async function readLink(c: Context<AppEnv>, path: string, token: string): Promise<LinkState> {
  if (path === linkTo('invitation')) {
    const problem = await invitationProblem(c.var.db, token);
    return { notice: problem === undefined ? undefined : noticeOf(path, problem) };
  }
  if (path !== linkTo('verifyEmail') && path !== linkTo('resetPassword')) return {};
  const [owner] = await findLinkOwner(c.var.db, token);
  return owner ? { ownerId: owner.id } : { notice: overLink(path, c.var.account) };
}

/** Hides what is pointless with an emailed link. */
function showLinkState(rewriter: HTMLRewriter, path: string, link: LinkState, account?: Account): void {
  // No form can make a verification link work again.
  if (path === linkTo('verifyEmail') && link.notice) {
    remove(rewriter, '[data-until-done]');
    if (account) reveal(remove(rewriter, '[data-unless-owner]'), '[data-done]');
  }
  // Signed-in owners need no password (`verifyEmail`).
  if (account && account.id === link.ownerId) remove(rewriter, '[data-unless-owner]');
}

/** Fills in the secret of an emailed link. Without a secret, the page says that it works only with its link. */
function showLink(rewriter: HTMLRewriter, path: string, token: string, hasNotice: boolean): void {
  if (token !== '') setAttribute(rewriter, 'input[name="token"]', 'value', token);
  // The call of an unsubscribe link has the secret in its path.
  if (isId(token))
    rewriter.on('form[action*=":id"]', {
      element: (form) => void form.setAttribute('action', fillPath(form.getAttribute('action') ?? '', token)),
    });
  else remove(rewriter, 'form[action*=":id"]');
  const hasLink = path === linkTo('unsubscribe') ? isId(token) : token !== '';
  if (!hasLink && !hasNotice) reveal(remove(rewriter, '[data-needs-link]'), '[data-without-link]');
}

/**
 * Passes the next page along with the form and the links. Only the form of a verification link verifies the email.
 * @param description what people read about that page
 */
function showNext(rewriter: HTMLRewriter, path: string, next: string, description: string | undefined): void {
  const afterForm = path === linkTo('verifyEmail') ? `${next}?${verifiedQuery}` : next;
  setAttribute(rewriter, 'input[name="next"]', 'value', afterForm).on('a[data-keep-next]', {
    element(link) {
      link.setAttribute('href', `${link.getAttribute('href') ?? ''}?next=${encodeURIComponent(next)}`);
    },
  });
  if (description !== undefined) reveal(rewriter, '[data-next]', description);
}

function showSettings(rewriter: HTMLRewriter, env: Env): void {
  if (!isGoogleEnabled(env)) remove(rewriter, '[data-google]');
  const logo = env.REGISTER_LOGO_URL;
  if (logo) setAttribute(reveal(rewriter, '[data-register-logo]'), '[data-register-logo]', 'src', logo);
}

/** The outcome of the form that was just submitted, or why the session was lost. */
function findNotice(c: Context<AppEnv>, path: string): Notice | undefined {
  const hasLost = path === linkTo('login') && new URL(c.req.url).search.endsWith(`&${lostSessionQuery}`);
  return consumeNoticeCookie(c, path) ?? (hasLost ? lostSession : undefined);
}

/**
 * Serves a sign-in page. The login page redirects a signed-in person to where they were going, or otherwise to the
 * dashboard or the admin panel. Scripts also open it after a sign-in.
 * @param path of the page, one of `isAccountPage`
 */
export async function answerAccountPage(
  c: Context<AppEnv>,
  path: string,
  { readPage, describeNext, findNewestOrder }: AccountPageParts,
): Promise<Response> {
  const { account } = c.var;
  const asked = safeNext(c.req.query('next'));
  if (path === linkTo('login') && account) return redirectWithin(c, asked ?? homeOf(account), 302);

  const token = (c.req.query('token') ?? '').slice(0, maxTokenLength);
  // Without the database, the form is shown. Submitting it reports the problem.
  const link: LinkState = token === '' ? {} : await readLink(c, path, token).catch(() => ({}));
  const notice = findNotice(c, path) ?? link.notice;
  const next =
    path === linkTo('verifyEmail') && token !== ''
      ? await nextOfVerification(link.ownerId, asked ?? linkTo('dashboard'), findNewestOrder)
      : asked;

  const rewriter = new HTMLRewriter();
  if (notice) showNotice(rewriter, notice);
  showLinkState(rewriter, path, link, account);
  if (next !== undefined) showNext(rewriter, path, next, (await describeNext(next)) ?? orderNote(path, next));
  showLink(rewriter, path, token, notice !== undefined);
  showSettings(rewriter, c.env);

  if (mailedPages.has(path)) c.header('Referrer-Policy', 'no-referrer');
  const page = rewriter.transform(await readPage());
  return c.newResponse(page.body, page);
}
