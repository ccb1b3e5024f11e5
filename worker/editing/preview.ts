/**
 * Previews a release: shows the pages as they will be after publication to anyone who has the link. The regular
 * renderer renders the live content with the release applied. Nothing is written. Links stay within the preview, forms
 * and scripts are disabled, and neither caches nor search engines store the pages.
 */
import type { Context } from 'hono';
import { counted } from '#contract/counted.ts';
import { parseUrl } from '#contract/parse-url.ts';
import { withoutSlash } from '#contract/route-pattern.ts';
import { contentPages } from '#contract/screens.ts';
import { dayIn } from '#contract/zoned-time.ts';
import { withArticleRules } from '../content/article-rules.ts';
import { applyChanges } from '../content/edits.ts';
import { withLongTexts } from '../content/long-texts.ts';
import { applyRelease, recordsOf, type SectionChange } from '../content/release-edit.ts';
import type { StoredContent } from '../content/stored.ts';
import type { Database } from '../db/client.ts';
import type { Env } from '../env.ts';
import type { AppEnv } from '../http/app.ts';
import { redirectWithin } from '../http/redirect.ts';
import { readLive } from '../publishing/live-content.ts';
import { htmlType } from '../publishing/frames.ts';
import { policyFor } from '../publishing/policy.ts';
import { recordPagesOf } from '../publishing/record-pages.ts';
import { renderPages } from '../publishing/render.ts';
import { findPreviewed, previewPath } from './preview-links.ts';

const previewed = /^\/preview\/([\w-]{43})(\/.*)?$/;

interface Place {
  readonly token: string;
  readonly ownHosts: readonly string[];
  readonly content: StoredContent;
}

/** The path of a preview page, in its canonical spelling. */
function pageAt(path: string, content: StoredContent): string | undefined {
  const fixed = contentPages.find(({ pattern }) => withoutSlash(pattern) === withoutSlash(path));
  if (fixed) return fixed.pattern;
  return recordPagesOf(content).has(withoutSlash(path)) ? withoutSlash(path) : undefined;
}

/**
 * The target of a link within the preview; undefined if the preview has no such page. Links to other sites, and to
 * anchors on the page, stay unchanged.
 */
function linkWithin(link: string, { token, ownHosts, content }: Place): string | undefined {
  const url = link.startsWith('#') ? undefined : parseUrl(link, `https://${ownHosts[0] ?? ''}`);
  if (!url || !ownHosts.includes(url.host)) return link;
  const page = pageAt(url.pathname, content);
  return page && previewPath(token) + page + url.search + url.hash;
}

const bannerStyle =
  '.release-preview{position:sticky;inset-block-start:0;z-index:1000;padding:.75rem 1rem;background:#7a2e00;color:#fff;font:600 1rem/1.4 system-ui,sans-serif;text-align:center}';

/**
 * Rewrites a page for the preview.
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
        // Prepended in reverse order. The rewriter escapes the notice, which contains typed text.
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

/** The Content-Security-Policy of a preview: no scripts run, and forms cannot be submitted. */
const closed = (policy: string): string =>
  policy.replace(/\b(script-src|connect-src|form-action) [^;]+/g, "$1 'none'");

interface Deps {
  readonly db: Database;
  readonly env: Pick<Env, 'SITE_TIMEZONE'>;
}

/** The live content with a release applied, and how many of its changes still need a decision. */
export async function contentWith({ db, env }: Deps, changes: readonly SectionChange[]) {
  const live = await readLive(db, recordsOf(changes));
  const { outcomes, made } = applyRelease(live.content, changes);
  const today = dayIn(env.SITE_TIMEZONE, Date.now());
  const complete = withArticleRules(live.content, made, { today, isPreview: true });
  return {
    content: applyChanges(live.content, complete),
    undecided: outcomes.filter(({ conflict }) => conflict).length,
  };
}

async function renderOne({ db }: Pick<Deps, 'db'>, content: StoredContent, page: string): Promise<string> {
  const shown = recordPagesOf(content).get(page);
  const ids = shown?.type === 'article' ? [shown.article._id] : [];
  const [rendered] = await renderPages([page], (await withLongTexts(db, content, ids)) ?? content);
  return rendered?.html ?? '';
}

/** @returns undefined if there is no such preview, or if a published release has no such page */
export async function answerPreview(c: Context<AppEnv>): Promise<Response | undefined> {
  const { db } = c.var;
  const { pathname, host } = new URL(c.req.url);
  const [, token = '', path = ''] = previewed.exec(pathname) ?? [];
  const stored = token ? await findPreviewed(db, token, Date.now()) : undefined;
  if (!stored) return undefined;
  const { content, undecided } = await contentWith({ db, env: c.env }, stored.changes);
  const page = pageAt(path || '/', content);
  if (stored.release.publishedAt !== null)
    return page === undefined ? undefined : redirectWithin(c, page, 302);
  if (page !== undefined && path !== page) return redirectWithin(c, `${previewPath(token)}${page}`, 302);

  const firm = content.brand[0]?.values['name'] ?? 'this site';
  const notice = `This is a preview of the release “${stored.release.title}” of ${firm}. It is not live.${
    undecided > 0
      ? ` ${counted(undecided, 'change is', 'changes are')} still to be decided on, because a newer version was saved in the meantime.`
      : ''
  }`;
  const html = await asPreview(
    await renderOne({ db }, content, page ?? '/404'),
    { token, ownHosts: [new URL(c.env.SITE_URL).host, host], content },
    notice,
  ).text();
  return new Response(html, {
    status: page === undefined ? 404 : 200,
    headers: {
      ...htmlType,
      'Cache-Control': 'no-store',
      'Content-Security-Policy': closed(await policyFor(html)),
      'Referrer-Policy': 'no-referrer',
      'X-Robots-Tag': 'noindex',
    },
  });
}
