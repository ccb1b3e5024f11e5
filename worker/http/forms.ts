/**
 * Plain forms, for browsers without JavaScript. After a POST, a 303 redirects the browser to its destination, or back
 * to the form if there is a problem. The errors and the typed email are in a cookie that is read once (pages.ts), so no
 * email is in a URL.
 */
import type { Context } from 'hono';
import { deleteCookie, getCookie, setCookie } from 'hono/cookie';
import * as z from 'zod';
import type { AppEnv } from './app.ts';
import { isFormPost } from './body.ts';
import { hostCookie } from './cookies.ts';
import type { ApiError } from './errors.ts';
import { redirectWithin } from './redirect.ts';

const notice = z.object({
  page: z.string(),
  /** `problem` is shown as an alert, `done` as a status. */
  kind: z.enum(['problem', 'done']),
  text: z.string(),
  errors: z.record(z.string(), z.string()).default({}),
  email: z.string().default(''),
});
export type Notice = z.infer<typeof notice>;

const noticeSeconds = 60;
/** The maximum length of an email in the cookie. No valid email is longer. */
const maxEmailLength = 254;

/**
 * Browsers keep cookies of up to 4,096 bytes including name and attributes (RFC 6265, section 6.1). Ours take less than
 * 200.
 */
const maxCookieLength = 3_800;

const isKept = (text: string): boolean => encodeURIComponent(text).length <= maxCookieLength;

/**
 * Sets the cookie with the notice for the next page. If the typed values are too long for a cookie, only the message is
 * kept.
 */
export function setNoticeCookie(
  c: Context<AppEnv>,
  value: Omit<Notice, 'errors' | 'email'> & Partial<Notice>,
): void {
  const texts = [value, { ...value, errors: {}, email: '' }].map((kept) => JSON.stringify(kept));
  const text = texts.find(isKept);
  if (text !== undefined) setCookie(c, 'notice', text, { ...hostCookie, maxAge: noticeSeconds });
}

/** Reads and removes the notice that was left for a page, if any. */
export function consumeNoticeCookie(c: Context<AppEnv>, page: string): Notice | undefined {
  const text = getCookie(c, 'notice', 'host');
  if (text === undefined) return undefined;
  deleteCookie(c, 'notice', hostCookie);
  try {
    const found = notice.parse(JSON.parse(text));
    return found.page === page ? found : undefined;
  } catch {
    return undefined;
  }
}

interface FormPage {
  readonly page: string;
  /** Fields that the page needs in its query string. */
  readonly keep?: readonly string[];
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : '');

export const redirectToForm =
  ({ page, keep = [] }: FormPage) =>
  (c: Context<AppEnv>, values: Readonly<Record<string, unknown>>, error: ApiError): Response => {
    const { errors = {} } = error.extensions;
    const email = asText(values['email']).slice(0, maxEmailLength);
    setNoticeCookie(c, { page, kind: 'problem', text: error.message, errors, email });
    const query = new URLSearchParams();
    for (const name of keep) if (asText(values[name])) query.set(name, asText(values[name]));
    return redirectWithin(c, query.size > 0 ? `${page}?${query.toString()}` : page);
  };

/**
 * Redirects the browser of a plain form to a page with the result. A script only gets the status.
 * @param next the destination, passed on to that page
 */
export function answerDone(
  c: Context<AppEnv>,
  page: string,
  text: string,
  next?: string,
): Response | undefined {
  if (!isFormPost(c)) return undefined;
  setNoticeCookie(c, { page, kind: 'done', text });
  return redirectWithin(c, next === undefined ? page : `${page}?next=${encodeURIComponent(next)}`);
}
