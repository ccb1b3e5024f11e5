/**
 * The asset server of Workers in Node, with `html_handling = "auto-trailing-slash"` and
 * `not_found_handling = "none"`.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
  '.webmanifest': 'application/manifest+json',
  '.webp': 'image/webp',
  '.woff2': 'font/woff2',
  '.xml': 'application/xml',
};

/** The files that can answer a path, in order. Paths that name an HTML file redirect in production. */
function candidatesFor(path: string): readonly string[] {
  if (path.endsWith('/')) return [`${path}index.html`];
  if (extname(path) === '.html') return [];
  return [path, `${path}.html`];
}

/** The headers of hashed files, which `_headers` lists below `/_astro/*`. */
async function hashedHeaders(folder: string): Promise<Record<string, string>> {
  const text = await readFile(join(folder, '_headers'), 'utf8');
  return Object.fromEntries(
    Array.from(text.matchAll(/^ {2}([\w-]+): (.+)$/gm), ([, name = '', value = '']) => [name, value]),
  );
}

/** Serves the files of a folder. */
export function openAssets(folder: string): { fetch(request: Request | string): Promise<Response> } {
  return {
    async fetch(request) {
      const { pathname } = new URL(typeof request === 'string' ? request : request.url);
      const path = normalize(decodeURIComponent(pathname));
      // Another spelling of a file's path redirects to the file.
      if (path !== pathname)
        return Response.redirect(new URL(encodeURI(path), 'http://assets.localhost'), 307);
      for (const candidate of candidatesFor(path)) {
        const body = await readFile(join(folder, candidate)).catch(() => undefined);
        if (!body || candidate === '/_headers') continue;
        const headers = {
          'Content-Type': types[extname(candidate)] ?? 'application/octet-stream',
          'Cache-Control': 'public, max-age=0, must-revalidate',
          ...(path.startsWith('/_astro/') && (await hashedHeaders(folder))),
          ETag: `"${createHash('sha256').update(body).digest('hex').slice(0, 32)}"`,
        };
        return new Response(new Uint8Array(body), { headers });
      }
      return new Response(null, { status: 404 });
    },
  };
}
