/** Security headers of every response. A route may set its own policy and caching. */
import { createMiddleware } from 'hono/factory';
import type { AppEnv } from './app.ts';

/** The headers of every response, unless its route sets them. */
export const commonHeaders = {
  'Strict-Transport-Security': 'max-age=31536000',
  'X-Content-Type-Options': 'nosniff',
  'Referrer-Policy': 'strict-origin-when-cross-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
} as const;

/** The headers of every response that is not a page, unless its route sets them. */
export const headersUnlessSet = {
  ...commonHeaders,
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
} as const;

export const securityHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next();
  const headers = new Headers(c.res.headers);
  for (const [name, value] of Object.entries(headersUnlessSet))
    if (!headers.has(name)) headers.set(name, value);
  headers.set('X-Request-Id', c.var.requestId);
  c.res = new Response(c.res.body, { status: c.res.status, headers });
});
