/**
 * Serves pictures. Their paths contain the hash of their bytes, so browsers and caches keep them forever, and each
 * Cloudflare location reads a picture from the bucket once.
 */
import { etagOf } from '#contract/etag.ts';
import { readMediaPath, type MediaPath } from '#contract/media.ts';
import { headersUnlessSet } from '../http/security-headers.ts';
import { fetchThroughCache, type CachedEntrypoint } from '../http/through-cache.ts';
import { keyOfPath, writeIcon, writeJpeg, type MediaEnv } from './store.ts';

const contentTypes: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  png: 'image/png',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

/** An SVG that is opened directly is drawn, but runs no scripts and loads nothing. */
const svgPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** How long the shared cache keeps a picture, in seconds. The bucket keeps a removed picture for the same time. */
const edgeSeconds = 30 * 86_400;

const etagOfPicture = ({ hash, width, ending }: MediaPath): string =>
  etagOf(`${hash}-${width ?? 'full'}${ending === 'jpg' || ending === 'png' ? `-${ending}` : ''}`);

/** The path of the requested picture; undefined for any other request. */
function readRequest({ method, url }: Request): MediaPath | undefined {
  return method === 'GET' || method === 'HEAD' ? readMediaPath(new URL(url).pathname) : undefined;
}

/** The object at a path. A JPEG or an icon is created at its first request. */
async function readStored(env: MediaEnv, media: MediaPath) {
  const stored = await env.FILES.get(keyOfPath(media));
  if (stored || (media.ending !== 'jpg' && media.ending !== 'png')) return stored;
  await (media.ending === 'jpg' ? writeJpeg : writeIcon)(env, media);
  return env.FILES.get(keyOfPath(media));
}

/**
 * A picture from the bucket, for the cache to store.
 * @returns undefined if there is no such picture
 */
export async function readPicture(request: Request, env: MediaEnv): Promise<Response | undefined> {
  const media = readRequest(request);
  const stored = media && (await readStored(env, media));
  // We never serve the original of a PNG, JPEG or WebP, whatever extension the path has.
  if (!stored || stored.httpMetadata?.contentType !== contentTypes[media.ending]) return undefined;
  return new Response(stored.body, {
    headers: {
      ...headersUnlessSet,
      'Content-Type': contentTypes[media.ending] ?? 'application/octet-stream',
      'Content-Length': String(stored.size),
      'Cache-Control': 'public, max-age=31536000, immutable',
      'Cloudflare-CDN-Cache-Control': `max-age=${edgeSeconds}`,
      // Mail programs load the firm's logo from other origins.
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ETag: etagOfPicture(media),
      ...(media.ending === 'svg' && { 'Content-Security-Policy': svgPolicy }),
    },
  });
}

/**
 * A picture through the cache.
 * @returns undefined for any other request, or if the picture is unavailable
 */
export const answerPicture = async (
  request: Request,
  media: CachedEntrypoint,
): Promise<Response | undefined> => (readRequest(request) ? fetchThroughCache(request, media) : undefined);
