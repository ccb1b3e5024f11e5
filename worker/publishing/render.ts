/** Renders content pages with the page components that Astro compiled, and checks the result. */
import { renderPage, unsafeLinkIn } from '#site-renderer';
import { withFirmName } from '#contract/brand.ts';
import { resolvePath } from '#contract/addresses.ts';
import { etagOf } from '#contract/etag.ts';
import { toHex } from '#contract/ids.ts';
import { linkRule } from '#contract/field-kinds.ts';
import { isRecordPath } from '#contract/articles.ts';
import { findScreen } from '#contract/all-screens.ts';
import { contentFiles } from '#contract/screens.ts';
import { allCalls } from '#contract/all-calls.ts';
import {
  sectionNamed,
  type PublicContent,
  type PublicSectionName,
  type SectionName,
} from '#contract/sections/index.ts';
import { publicContentOf } from '../content/reader.ts';
import type { StoredContent } from '../content/stored.ts';
import type { RecordChange } from '../content/edits.ts';
import { ApiError, invalid } from '../http/errors.ts';
import { policyFor } from './policy.ts';

export interface RenderedPage {
  readonly path: string;
  readonly html: string;
  readonly etag: string;
  readonly csp: string;
}

export interface Rendered extends RenderedPage {
  /** The sections that the page reads. Changes of other sections do not affect its bytes. */
  readonly sections: ReadonlySet<SectionName>;
}

async function digest(text: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return toHex(new Uint8Array(hash).slice(0, 16));
}

/** The content, and the sections that are read through it. */
function trackSections(content: PublicContent): {
  readonly tracked: PublicContent;
  readonly sections: ReadonlySet<SectionName>;
} {
  const sections = new Set<SectionName>();
  const tracked = new Proxy(content, {
    get(target, name: PublicSectionName) {
      if (Object.hasOwn(target, name)) sections.add(name);
      return target[name];
    },
  });
  return { tracked, sections };
}

/** @throws ApiError 422 that names the page that does not render */
export async function renderPages(paths: readonly string[], stored: StoredContent): Promise<Rendered[]> {
  const content = withFirmName(publicContentOf(stored));
  const rendered: Rendered[] = [];
  for (const path of paths) {
    const { tracked, sections } = trackSections(content);
    try {
      const html = await renderPage(path, tracked);
      rendered.push({ path, html, etag: etagOf(await digest(html)), csp: await policyFor(html), sections });
    } catch (cause) {
      throw new ApiError(422, `The page ${path} cannot be shown with this change, so nothing was saved.`, {
        page: path,
        cause: cause instanceof Error ? cause.name : 'Error',
      });
    }
  }
  return rendered;
}

/**
 * Skips the calls of forms. Only components contain forms, and `callAddress` already checks the names of their
 * calls.
 */
const internalAddress = /\s(?:href|src|poster|action(?!="\/api\/))="(\/(?!\/)[^"]*)"/g;

const decodeEntities = (text: string) => text.replaceAll('&amp;', '&').replaceAll('&#38;', '&');

/** The picture for shared links, if it is on the page's own host. */
const sharedPicture =
  /<meta property="og:url" content="(https?:\/\/[^/"]+)[^]*?<meta property="og:image" content="\1(\/[^"]*)"/;

/**
 * Paths on this site that the page links to or loads, including its picture for shared links, without query and
 * fragment.
 */
export function internalPaths(html: string): Set<string> {
  const addresses = Array.from(html.matchAll(internalAddress), ([, address = '/']) => address);
  const shared = sharedPicture.exec(html)?.[2];
  if (shared !== undefined) addresses.push(shared);
  return new Set(addresses.map((address) => decodeEntities(address).replace(/[?#].*/, '')));
}

/**
 * Refuses long texts with a link that the pages would not show as a link, such as `[here](javascript:…)`.
 * @throws ApiError 422 that names the field and the address
 */
export async function checkTextLinks(changes: readonly RecordChange[]): Promise<void> {
  for (const { section, before, after } of changes) {
    for (const [field, { kind, label }] of Object.entries(sectionNamed(section).fields)) {
      const text = after?.values[field];
      if (kind !== 'markdown' || text === undefined || text === before?.values[field]) continue;
      const address = await unsafeLinkIn(text);
      if (address !== undefined)
        throw invalid({ [field]: `${label} has a link to “${address}”. ${linkRule}` });
    }
  }
}

const knownFiles = new Set<string>();

/** The calls that anyone can open as a link. */
const linkedCalls: ReadonlySet<string> = new Set(
  allCalls
    .filter(({ method, path, who }) => method === 'GET' && who === 'anyone' && !path.includes('/:'))
    .map(({ path }) => `/api${path}`),
);

/**
 * Whether a path exists: a page, a call that works as a link, or a deployed file (cached, since files never
 * change). Pictures and pages of records are looked up only in the content (`isInContent`), because the deployment
 * may still have the page of a removed record.
 */
export async function pathExists(
  asked: string,
  assets: { fetch(request: Request): Promise<Response> },
): Promise<boolean> {
  const path = resolvePath(asked);
  if (path === undefined) return false;
  if (findScreen(path) || linkedCalls.has(path) || contentFiles.includes(path) || knownFiles.has(path))
    return true;
  if (path.startsWith('/shell/') || isRecordPath(path)) return false;
  const response = await assets.fetch(
    // The asset server redirects `/contact.html` to `/contact`, but visitors get 404 there.
    new Request(new URL(path, 'http://assets.invalid'), { method: 'HEAD', redirect: 'manual' }),
  );
  if (response.ok) knownFiles.add(path);
  return response.ok;
}

/**
 * Refuses pages that link to a path on this site that does not exist.
 * @param isInContent whether the content has a picture, a page of a record or a redirect at a path
 * @throws ApiError 422 that names page and field
 */
export async function checkLinks(
  rendered: readonly RenderedPage[],
  changes: readonly RecordChange[],
  assets: { fetch(request: Request): Promise<Response> },
  isInContent: (path: string) => boolean,
): Promise<void> {
  for (const { path: page, html } of rendered) {
    for (const path of internalPaths(html)) {
      if (isInContent(path) || (await pathExists(path, assets))) continue;
      const detail = `${page} links to ${path}, which does not exist on this site.`;
      const errors = Object.fromEntries(
        changes.flatMap(({ section, after }) =>
          Object.entries(sectionNamed(section).fields)
            .filter(([field, { kind }]) =>
              kind === 'markdown'
                ? after?.values[field]?.includes(path)
                : after?.values[field]?.replace(/[?#].*/, '') === path,
            )
            .map(([field]) => [field, detail]),
        ),
      );
      throw new ApiError(422, detail, { page, errors });
    }
  }
}
