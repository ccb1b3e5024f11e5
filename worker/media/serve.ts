/** Serves pictures. Their names hold the hash of their bytes, so that browsers and caches keep them for good. */
import type { Context } from 'hono';
import { etagOf } from '#contract/etag.ts';
import { readMediaPath } from '#contract/media.ts';
import type { AppEnv } from '../http/app.ts';
import { isKnown } from '../http/conditional.ts';
import { keyOfPath, writeJpeg } from './store.ts';

const contentTypes: Readonly<Record<string, string>> = {
  webp: 'image/webp',
  jpg: 'image/jpeg',
  gif: 'image/gif',
  svg: 'image/svg+xml',
};

/** An SVG that is opened on its own is drawn, but runs and loads nothing. */
const svgPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox";

/** @returns undefined where there is no such picture */
export async function answerMedia(c: Context<AppEnv>): Promise<Response | undefined> {
  const media = readMediaPath(new URL(c.req.url).pathname);
  if (!media || (c.req.method !== 'GET' && c.req.method !== 'HEAD')) return undefined;
  const etag = etagOf(`${media.hash}-${media.width ?? 'full'}${media.ending === 'jpg' ? '-jpg' : ''}`);
  const headers = new Headers({
    'Content-Type': contentTypes[media.ending] ?? 'application/octet-stream',
    'Cache-Control': 'public, max-age=31536000, immutable',
    // Mail programs load the firm's logo from other origins.
    'Cross-Origin-Resource-Policy': 'cross-origin',
    ETag: etag,
    ...(media.ending === 'svg' && { 'Content-Security-Policy': svgPolicy }),
  });
  if (isKnown(c.req.header('If-None-Match') ?? null, etag))
    return new Response(null, { status: 304, headers });
  const read = () => c.env.FILES.get(keyOfPath(media));
  let stored = await read();
  if (!stored && media.ending === 'jpg') {
    await writeJpeg(c.env, media);
    stored = await read();
  }
  // The original of a PNG, JPEG or WebP is never served, whatever extension the path has.
  if (!stored || stored.httpMetadata?.contentType !== contentTypes[media.ending]) return undefined;
  headers.set('Content-Length', String(stored.size));
  return new Response(c.req.method === 'HEAD' ? null : stored.body, { headers });
}
