/**
 * Serves pictures. Their paths contain the hash of their bytes, so browsers and caches keep them forever. The
 * default entrypoint passes only the path to the cached one, so that each location reads a picture from the
 * bucket once. https://developers.cloudflare.com/workers/cache/
 */
import { etagOf } from '#contract/etag.ts';
import { readMediaPath, type MediaPath } from '#contract/media.ts';
import { isKnown } from '../http/conditional.ts';
import { requestIdOf } from '../http/log.ts';
import { headersUnlessSet } from '../http/security-headers.ts';
import { keyOfPath, writeIcon, writeJpeg, type MediaEnv } from './store.ts';

const contentTypes: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

/** An SVG that is opened directly is drawn, but it runs no scripts and loads nothing. */
const svgPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** How long the shared cache keeps a picture, in seconds. The bucket keeps a removed picture equally long. */
const edgeSeconds = 30 * 86_400;

const etagOfPicture = ({ hash, width, ending }: MediaPath): string =>
  etagOf(`${hash}-${width ?? 'full'}${ending === 'jpg' || ending === 'png' ? `-${ending}` : ''}`);

const headersOf = (media: MediaPath): Headers =>
  new Headers({
    ...headersUnlessSet,
    'Content-Type': contentTypes[media.ending] ?? 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Mail programs load the firm's logo from other origins.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etagOfPicture(media),
    ...(media.ending === 'svg' && { 'Content-Security-Policy': svgPolicy }),
  });

/** The path of the picture that a request asks for; undefined for any other request. */
function readRequest({ method, url }: Request): MediaPath | undefined {
  return method === 'GET' || method === 'HEAD' ? readMediaPath(new URL(url).pathname) : undefined;
}

/** The object at a path. We create a JPEG or an icon when somebody first requests it. */
async function readStored(env: MediaEnv, media: MediaPath) {
  const stored = await env.FILES.get(keyOfPath(media));
  if (stored || (media.ending !== 'jpg' && media.ending !== 'png')) return stored;
  await (media.ending === 'jpg' ? writeJpeg : writeIcon)(env, media);
  return env.FILES.get(keyOfPath(media));
}

/**
 * A picture from the bucket, for the cache to keep.
 * @returns undefined if there is no such picture
 */
export async function readPicture(request: Request, env: MediaEnv): Promise<Response | undefined> {
  const media = readRequest(request);
  const stored = media && (await readStored(env, media));
  // We never serve the original of a PNG, JPEG or WebP, whatever extension the path has.
  if (!stored || stored.httpMetadata?.contentType !== contentTypes[media.ending]) return undefined;
  const headers = headersOf(media);
  headers.set('Cloudflare-CDN-Cache-Control', `max-age=${String(edgeSeconds)}`);
  headers.set('Content-Length', String(stored.size));
  return new Response(stored.body, { headers });
}

/** The cached entrypoint as the page cache calls it (`ctx.exports.Media`). */
export interface MediaEntrypoint {
  fetch(request: Request): Promise<Response>;
}

/**
 * A picture through the cache.
 * @returns undefined for any other request, or if the picture is unavailable
 */
export async function answerPicture(request: Request, media: MediaEntrypoint): Promise<Response | undefined> {
  const path = readRequest(request);
  if (!path) return undefined;
  const named = { 'X-Request-Id': requestIdOf(request) };
  if (isKnown(request.headers.get('If-None-Match'), etagOfPicture(path)))
    return new Response(null, { status: 304, headers: { ...Object.fromEntries(headersOf(path)), ...named } });
  const { pathname } = new URL(request.url);
  const answer = await media.fetch(new Request(new URL(pathname, request.url))).catch(() => undefined);
  if (!answer?.ok) {
    await answer?.body?.cancel();
    return undefined;
  }
  const headers = new Headers({ ...Object.fromEntries(answer.headers), ...named });
  if (request.method === 'GET') return new Response(answer.body, { headers });
  await answer.body?.cancel();
  return new Response(null, { headers });
}
