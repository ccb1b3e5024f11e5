/**
 * The sign-in pages as they are served: a frame, with what belongs to this request put into the places that
 * it keeps ready. That is what makes them work without JavaScript.
 */
import type { Context } from 'hono';
import { safeNext } from '#contract/accounts.ts';
import { isId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import { linkTo } from '#contract/screens.ts';
import type { AppEnv } from '../http/app.ts';
import { redirectWithin } from '../http/redirect.ts';
import { type Notice, takeNotice } from './forms.ts';
import { offersGoogle } from './google.ts';
import { seemsKnown } from './known-device.ts';

const accountPages: ReadonlySet<string> = new Set([
  linkTo('login'),
  linkTo('register'),
  linkTo('reset'),
  linkTo('recovery'),
  linkTo('verifyEmail'),
  linkTo('resetPassword'),
  linkTo('invitation'),
  linkTo('confirmSubscription'),
  linkTo('unsubscribe'),
]);
const maxTokenLength = 256;

/** Those whose address holds the secret of a mailed link: no page that they lead to is told of it. */
const mailedPages: ReadonlySet<string> = new Set([
  linkTo('verifyEmail'),
  linkTo('resetPassword'),
  linkTo('invitation'),
  linkTo('confirmSubscription'),
  linkTo('unsubscribe'),
]);

/** Whether a page is one of the sign-in pages, or behind another mailed link. */
export const isAccountPage = (path: string): boolean => accountPages.has(path);

/** Shows what the form that was just posted came to. */
function showNotice(rewriter: HTMLRewriter, { kind, text, errors, email }: Notice): void {
  if (kind === 'done') rewriter.on('[data-until-done]', { element: (part) => void part.remove() });
  let besideFields = false;
  for (const [name, error] of Object.entries(errors)) {
    if (!/^(email|password|code)$/.test(name)) continue;
    besideFields = true;
    rewriter
      .on(`[data-error-for="${name}"]`, {
        element(place) {
          place.removeAttribute('hidden');
          place.setInnerContent(error);
        },
      })
      .on(`input[name="${name}"]`, {
        element(input) {
          input.setAttribute('aria-invalid', 'true');
          input.setAttribute('aria-describedby', `${name}-error`);
        },
      });
  }
  if (!besideFields)
    rewriter.on('[data-notice]', {
      element(place) {
        place.removeAttribute('hidden');
        place.setAttribute('role', kind === 'problem' ? 'alert' : 'status');
        place.setInnerContent(text);
      },
    });
  if (email)
    rewriter.on('input[name="email"]', { element: (input) => void input.setAttribute('value', email) });
}

/**
 * Of the two places in which the log-in page offers to sign up, the one above its form is for somebody who has chosen a
 * package on a device where nobody has signed in yet, the one below it for everybody else.
 */
function placeSignUp(rewriter: HTMLRewriter, isNewcomer: boolean): void {
  rewriter.on(`[data-sign-up="${isNewcomer ? 'below' : 'above'}"]`, {
    element: (place) => void place.remove(),
  });
  if (isNewcomer)
    rewriter
      .on('[data-newcomer-title]', {
        element: (title) => void title.setInnerContent(title.getAttribute('data-newcomer-title') ?? ''),
      })
      .on('form[data-account-form="login"] button[type="submit"]', {
        element: (button) => void button.setAttribute('data-variant', 'secondary'),
      });
}

/** A page that is opened without the link that was mailed has nothing to offer but to say so. */
const askForLink = (rewriter: HTMLRewriter): HTMLRewriter =>
  rewriter
    .on('[data-needs-link]', { element: (part) => void part.remove() })
    .on('[data-without-link]', { element: (place) => void place.removeAttribute('hidden') });

export interface AccountPageParts {
  /** Reads the frame with its headers. */
  readonly readPage: () => Promise<Response>;
  /** Says what waits at the page that comes after signing in, where that is worth a sentence. */
  readonly describeNext: (next: string) => Promise<string | undefined>;
}

/**
 * Answers a sign-in page; the account that is signed in goes from the log-in page to the dashboard.
 * @param path of the page, one of `isAccountPage`
 */
export async function answerAccountPage(
  c: Context<AppEnv>,
  path: string,
  { readPage, describeNext }: AccountPageParts,
): Promise<Response> {
  if (path === linkTo('login') && c.var.account) return redirectWithin(c, linkTo('dashboard'), 302);
  const rewriter = new HTMLRewriter();
  const notice = takeNotice(c, path);
  if (notice) showNotice(rewriter, notice);

  const next = safeNext(c.req.query('next'));
  const waiting = next === undefined ? undefined : await describeNext(next);
  if (next !== undefined)
    rewriter
      .on('input[name="next"]', { element: (input) => void input.setAttribute('value', next) })
      .on('a[data-keep-next]', {
        element(link) {
          link.setAttribute('href', `${link.getAttribute('href') ?? ''}?next=${encodeURIComponent(next)}`);
        },
      });

  placeSignUp(rewriter, waiting !== undefined && !seemsKnown(c));
  if (waiting !== undefined)
    rewriter.on('[data-next]', {
      element(place) {
        place.removeAttribute('hidden');
        place.setInnerContent(waiting);
      },
    });

  const token = c.req.query('token')?.slice(0, maxTokenLength);
  if (token)
    rewriter.on('input[name="token"]', { element: (input) => void input.setAttribute('value', token) });

  // A call whose address holds the secret itself.
  if (isId(token ?? ''))
    rewriter.on('form[action*=":id"]', {
      element: (form) =>
        void form.setAttribute('action', fillPath(form.getAttribute('action') ?? '', token ?? '')),
    });
  else rewriter.on('form[action*=":id"]', { element: (form) => void form.remove() });
  const hasLink = path === linkTo('unsubscribe') ? isId(token ?? '') : Boolean(token);
  if (!hasLink && !notice) askForLink(rewriter);

  if (!offersGoogle(c.env)) rewriter.on('[data-google]', { element: (link) => void link.remove() });

  const logo = c.env.REGISTER_LOGO_URL;
  if (logo)
    rewriter.on('img[data-register-logo]', {
      element(image) {
        image.removeAttribute('hidden');
        image.setAttribute('src', logo);
      },
    });

  if (mailedPages.has(path)) c.header('Referrer-Policy', 'no-referrer');
  const page = rewriter.transform(await readPage());
  return c.newResponse(page.body, page);
}
