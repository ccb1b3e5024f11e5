/**
 * The preview of a release: the pages as they will be after it is published, for anyone who has its link. The
 * regular renderer renders the live content with the release applied. Nothing is written. Links stay within the
 * preview, forms and scripts are disabled, and neither caches nor search engines store the pages.
 */
import type { Context } from 'hono';
import { counted } from '#contract/counted.ts';
import { parseUrl } from '#contract/parse-url.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { contentPages } from '#contract/screens.ts';
import { applyRelease } from '../content/release-edit.ts';
import type { AppEnv } from '../http/app.ts';
import { redirectWithin } from '../http/redirect.ts';
import { readLive } from '../publishing/live-content.ts';
import { htmlType } from '../publishing/frames.ts';
import { policyFor } from '../publishing/policy.ts';
import { renderPages } from '../publishing/render.ts';
import { findPreviewed, previewPath } from './preview-links.ts';

const previewed = /^\/preview\/([\w-]{43})(\/.*)?$/;

/** The preview that a page belongs to, and the site's hosts. */
interface Place {
  readonly token: string;
  readonly ownHosts: readonly string[];
}

const pageAt = (path: string): string | undefined =>
  contentPages.find(({ pattern }) => withoutSlash(pattern) === withoutSlash(path))?.pattern;

/** Turns a full URL of one of this site's hosts into a path. */
function withoutOwnHost(href: string, ownHosts: readonly string[]): string {
  const address = /^(?:https?:)?\/\//i.test(href)
    ? parseUrl(href, `https://${ownHosts[0] ?? ''}`)
    : undefined;
  return address && ownHosts.includes(address.host) ? address.pathname + address.search + address.hash : href;
}

/**
 * A link's address within the preview; undefined if it leads nowhere there. Links to other sites, and to anchors
 * on the page, stay unchanged.
 */
function linkWithin(link: string, { token, ownHosts }: Place): string | undefined {
  const href = withoutOwnHost(link, ownHosts);
  if (!href.startsWith('/') || href.startsWith('//')) return href;
  const [, path = '', rest = ''] = /^([^?#]*)(.*)$/s.exec(href) ?? [];
  const page = pageAt(path);
  return page && `${previewPath(token)}${page}${rest}`;
}

const bannerStyle =
  '.release-preview{position:sticky;inset-block-start:0;z-index:1000;padding:.75rem 1rem;background:#7a2e00;color:#fff;font:600 1rem/1.4 system-ui,sans-serif;text-align:center}';

/**
 * The page as the preview shows it.
 * @param notice text for the top of the page
 */
function asPreview(html: string, place: Place, notice: string): Response {
  return new HTMLRewriter()
    .on('script', { element: (script) => void script.remove() })
    .on('link[rel="canonical"]', { element: (link) => void link.remove() })
    .on('meta[name="robots"]', { element: (robots) => void robots.remove() })
    .on('head', {
      element: (head) =>
        void head.append(`<meta name="robots" content="noindex"><style>${bannerStyle}</style>`, {
          html: true,
        }),
    })
    .on('body', {
      element(body) {
        // Prepended from last to first. The rewriter escapes the notice, which people typed.
        body.prepend('</p>', { html: true });
        body.prepend(notice);
        body.prepend('<p class="release-preview" role="status">', { html: true });
      },
    })
    .on('a[href]', {
      element(link) {
        const href = linkWithin(link.getAttribute('href') ?? '', place);
        if (href === undefined) link.removeAttribute('href');
        else link.setAttribute('href', href);
        if (/^(https?:)?\/\//i.test(href ?? '')) link.setAttribute('rel', 'noopener noreferrer');
      },
    })
    .on('form', {
      element(form) {
        form.removeAttribute('action');
        form.setAttribute('inert', '');
      },
    })
    .transform(new Response(html));
}

/** The content security policy of a preview: nothing runs on it, and nothing is sent from it. */
const closed = (policy: string): string =>
  policy.replace(/\b(script-src|connect-src|form-action) [^;]+/g, "$1 'none'");

/** @returns undefined if there is no such preview, or no such page in it */
export async function answerPreview(c: Context<AppEnv>): Promise<Response | undefined> {
  const { db } = c.var;
  const { pathname, host } = new URL(c.req.url);
  const [, token = '', path = ''] = previewed.exec(pathname) ?? [];
  const page = pageAt(path || '/');
  if (!token || page === undefined) return undefined;
  const stored = await findPreviewed(db, token, Date.now());
  if (!stored) return undefined;
  if (stored.release.publishedAt !== null) return redirectWithin(c, page, 302);
  if (path !== page) return redirectWithin(c, `${previewPath(token)}${page}`, 302);

  const live = await readLive(db);
  const { content, outcomes } = applyRelease(live.content, stored.changes);
  const [rendered] = await renderPages([page], content);
  const undecided = outcomes.filter(({ conflict }) => conflict).length;
  const firm = content.brand[0]?.values['name'] ?? 'this site';
  const notice = `This is a preview of the release “${stored.release.title}” of ${firm}. It is not live.${
    undecided > 0
      ? ` ${counted(undecided, 'change is', 'changes are')} still to be decided on, because somebody else saved in the meantime.`
      : ''
  }`;
  const html = await asPreview(
    rendered?.html ?? '',
    { token, ownHosts: [new URL(c.env.SITE_URL).host, host] },
    notice,
  ).text();
  return new Response(html, {
    headers: {
      ...htmlType,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': closed(await policyFor(html)),
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  });
}
