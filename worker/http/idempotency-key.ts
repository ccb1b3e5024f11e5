/** The header that makes a repeated submit one. */
import type { Context } from 'hono';
import { idempotencyKeyHeader, idempotencyKeyPattern } from '#contract/orders.ts';
import type { AppEnv } from './app.ts';
import { badRequest } from './errors.ts';

/** @throws ApiError 400 a key of another shape */
export function idempotencyKeyOf(c: Context<AppEnv>): string | undefined {
  const key = c.req.header(idempotencyKeyHeader);
  if (key !== undefined && !idempotencyKeyPattern.test(key))
    throw badRequest(`${idempotencyKeyHeader} takes 8 to 100 letters, digits, - or _.`);
  return key;
}
