/**
 * Serves pictures. Their names hold the hash of their bytes, so that browsers and caches keep them for good. The default
 * entrypoint asks the cached one for the path alone, so that each place reads a picture from the bucket once.
 * https://developers.cloudflare.com/workers/cache/
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

/** An SVG that is opened on its own is drawn, but runs and loads nothing. */
const svgPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** For how long the shared cache keeps a picture, in seconds: as long as the bucket keeps one that was removed. */
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

/** The path of a picture that a request reads; undefined for any other request. */
function readRequest({ method, url }: Request): MediaPath | undefined {
  return method === 'GET' || method === 'HEAD' ? readMediaPath(new URL(url).pathname) : undefined;
}

/** The object that a path names. A JPEG and an icon are made when they are first asked for. */
async function readStored(env: MediaEnv, media: MediaPath) {
  const stored = await env.FILES.get(keyOfPath(media));
  if (stored || (media.ending !== 'jpg' && media.ending !== 'png')) return stored;
  await (media.ending === 'jpg' ? writeJpeg : writeIcon)(env, media);
  return env.FILES.get(keyOfPath(media));
}

/** A picture from the bucket, for the cache to keep. @returns undefined where there is no such picture */
export async function readPicture(request: Request, env: MediaEnv): Promise<Response | undefined> {
  const media = readRequest(request);
  const stored = media && (await readStored(env, media));
  // The original of a PNG, JPEG or WebP is never served, whatever extension the path has.
  if (!stored || stored.httpMetadata?.contentType !== contentTypes[media.ending]) return undefined;
  const headers = headersOf(media);
  headers.set('Cloudflare-CDN-Cache-Control', `max-age=${String(edgeSeconds)}`);
  headers.set('Content-Length', String(stored.size));
  return new Response(stored.body, { headers });
}

/** The cached entrypoint as the gateway sees it (`ctx.exports.Media`). */
export interface MediaEntrypoint {
  fetch(request: Request): Promise<Response>;
}

/** A picture through the cache. @returns undefined for any other request, and for a picture that cannot be had */
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
