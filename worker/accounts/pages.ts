/**
 * Serves the sign-in pages. The Worker fills the placeholders of a prerendered frame for each request, so the
 * pages work without JavaScript.
 */
import type { Context } from 'hono';
import { getCookie } from 'hono/cookie';
import { safeNext, signInTexts, verifiedQuery, type Account } from '#contract/accounts.ts';
import { may } from '#contract/audience.ts';
import { findLinkedScreen, packageToOrder } from '#contract/all-screens.ts';
import { isId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import type { AppEnv } from '../http/app.ts';
import { type Notice, consumeNoticeCookie } from '../http/forms.ts';
import { redirectWithin } from '../http/redirect.ts';
import { isGoogleEnabled } from './google.ts';
import { invitationProblem } from './invitations.ts';
import { findLinkOwner } from './links.ts';

/**
 * The pages whose address contains the secret of a mailed link. They send no referrer, so other pages do not
 * learn it.
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

/** Whether a page is a sign-in page or the target of another mailed link. */
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
        // The field's help still describes it.
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

/** Tells the login page about a lost session. The cookie is gone by then. */
export const lostSessionQuery = 'session=lost';

/** A notice that no form has caused. */
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
  /** Describes the page to continue to after signing in; undefined if there is nothing to say. */
  readonly describeNext: (next: string) => Promise<string | undefined>;
  /** The path of an account's newest order; undefined if it has none. */
  readonly findNewestOrder: (accountId: string) => Promise<string | undefined>;
}

/**
 * Where a verification link continues to. If the person was about to order when the link was mailed, and has
 * ordered since, it continues to the order.
 */
async function nextOfVerification(
  ownerId: string | undefined,
  asked: string,
  findNewestOrder: AccountPageParts['findNewestOrder'],
): Promise<string> {
  const isOrdering = packageToOrder(asked) !== undefined;
  const order = isOrdering && ownerId !== undefined ? await findNewestOrder(ownerId) : undefined;
  return `${order ?? asked.replace(/[?#].*/s, '')}?${verifiedQuery}`;
}

/** The notice about a verification or reset link that was used, has expired or never existed. */
const overLink = (path: string, account: Account | undefined): Notice =>
  path === linkTo('verifyEmail') && account?.emailVerified
    ? noticeOf(
        path,
        `This link has already been used or has expired. Your email ${account.email} is verified.`,
        'done',
      )
    : noticeOf(path, signInTexts.linkOver);

/** An order that staff placed appears only in the account with its email. Pay links and mails lead here. */
const orderNote = (path: string, next: string): string | undefined =>
  (path === linkTo('register') || path === linkTo('login')) &&
  findLinkedScreen(next)?.screen.name === 'myOrder'
    ? 'To see the order, use the email address that it was placed for.'
    : undefined;

/** The page to open after sign-in when `next` is not set. */
export const homeOf = (account: Pick<Account, 'role' | 'lacks'>): string =>
  linkTo(may(account, 'staff') ? 'admin' : 'dashboard');

/**
 * Serves a sign-in page. The login page redirects a signed-in person to where they were going, or otherwise to the
 * dashboard or the administration. Scripts open it after a sign-in, too.
 * @param path of the page, one of `isAccountPage`
 */
export async function answerAccountPage(
  c: Context<AppEnv>,
  path: string,
  { readPage, describeNext, findNewestOrder }: AccountPageParts,
): Promise<Response> {
  if (path === linkTo('login') && c.var.account)
    return redirectWithin(c, safeNext(c.req.query('next')) ?? homeOf(c.var.account), 302);
  const rewriter = new HTMLRewriter();
  const hasLost = path === linkTo('login') && new URL(c.req.url).search.endsWith(`&${lostSessionQuery}`);
  const notice = consumeNoticeCookie(c, path) ?? (hasLost ? lostSession : undefined);
  if (notice) showNotice(rewriter, notice);

  const token = c.req.query('token')?.slice(0, maxTokenLength);
  const asked = safeNext(c.req.query('next'));
  const isVerification = path === linkTo('verifyEmail') && token !== undefined;
  const isReset = path === linkTo('resetPassword') && token !== undefined;
  const isInvitation = path === linkTo('invitation') && token !== undefined;
  // Without the database, the form is shown. Sending it reports what is wrong.
  const owners =
    isVerification || isReset ? await findLinkOwner(c.var.db, token).catch(() => undefined) : undefined;
  const invitation = isInvitation
    ? await invitationProblem(c.var.db, token).catch(() => undefined)
    : undefined;
  const linkNotice =
    owners?.length === 0
      ? overLink(path, c.var.account)
      : invitation === undefined
        ? undefined
        : noticeOf(path, invitation);
  const owner = owners?.[0];
  const isDone = linkNotice?.kind === 'done';
  if (isDone) reveal(rewriter, '[data-done]');
  // Signed-in owners need no password (`verifyEmail`).
  if (isDone || (owner && owner.id === c.var.account?.id)) remove(rewriter, '[data-unless-owner]');
  const next = isVerification
    ? await nextOfVerification(owner?.id, asked ?? linkTo('dashboard'), findNewestOrder)
    : asked;
  const waiting = next === undefined ? undefined : ((await describeNext(next)) ?? orderNote(path, next));
  if (next !== undefined)
    setAttribute(rewriter, 'input[name="next"]', 'value', next).on('a[data-keep-next]', {
      element(link) {
        link.setAttribute('href', `${link.getAttribute('href') ?? ''}?next=${encodeURIComponent(next)}`);
      },
    });
  if (waiting !== undefined) reveal(rewriter, '[data-next]', waiting);
  if (token) setAttribute(rewriter, 'input[name="token"]', 'value', token);

  // The call has the secret in its path.
  if (token && isId(token))
    rewriter.on('form[action*=":id"]', {
      element: (form) => void form.setAttribute('action', fillPath(form.getAttribute('action') ?? '', token)),
    });
  else remove(rewriter, 'form[action*=":id"]');
  const hasLink = path === linkTo('unsubscribe') ? isId(token ?? '') : Boolean(token);
  // The page works only with its mailed link.
  if (!hasLink && !notice) reveal(remove(rewriter, '[data-needs-link]'), '[data-without-link]');
  if (linkNotice && !notice) showNotice(rewriter, linkNotice);

  if (!isGoogleEnabled(c.env)) remove(rewriter, '[data-google]');

  const logo = c.env.REGISTER_LOGO_URL;
  if (logo) setAttribute(reveal(rewriter, '[data-register-logo]'), '[data-register-logo]', 'src', logo);

  if (mailedPages.has(path)) c.header('Referrer-Policy', 'no-referrer');
  const page = rewriter.transform(await readPage());
  return c.newResponse(page.body, page);
}
