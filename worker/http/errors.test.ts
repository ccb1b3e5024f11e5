/** Which errors mean that a service is temporarily unavailable, and which are our own bugs. */
import { LibsqlError } from '@libsql/client';
import type { Context } from 'hono';
import Stripe from 'stripe';
import { expect, test, vi } from 'vitest';
import type { AppEnv } from './app.ts';
import { toApiError } from './errors.ts';

const context = { var: { log: () => undefined } } as unknown as Context<AppEnv>;
const statusOf = (error: Error) => toApiError(error, context).status;

test.each([
  'BLOCKED',
  'TRANSACTION_TIMEOUT',
  'TRANSACTION_BUSY',
  'SERVER_ERROR',
  'HRANA_CLOSED_ERROR',
  'STREAM_EXPIRED',
  'SQLITE_BUSY_SNAPSHOT',
  'SQLITE_FULL',
])('A database error %s means temporarily unavailable, even if another error wraps it', (code) => {
  const error = new LibsqlError('The database said no.', code);
  expect(statusOf(error)).toBe(503);
  expect(statusOf(new Error('Failed query', { cause: error }))).toBe(503);
});

test('An internal error shows the id of its request, which finds it in the log', () => {
  const log = () => undefined;
  const shown = toApiError(new Error('Unexpected'), { var: { log, requestId: '8f1a2b3c-ORD' } } as never);
  expect([shown.status, shown.message]).toEqual([500, expect.stringContaining('8f1a2b3c-ORD')]);
});

test.each(['SQLITE_CONSTRAINT', 'SQLITE_ERROR', 'RESPONSE_TOO_LARGE'])('%s is our fault', (code) => {
  expect(statusOf(new LibsqlError('near "FORM": syntax error', code))).toBe(500);
});

test('A bucket with internal problems is temporarily unavailable; an invalid request to it is our fault', () => {
  expect(statusOf(new Error('put: We encountered an internal error. Please try again. (10001)'))).toBe(503);
  expect(statusOf(new Error('put: The specified bucket does not exist. (10006)'))).toBe(503);
  expect(statusOf(new Error('get: Reduce your concurrent request rate for the same object. (10058)'))).toBe(
    503,
  );
  expect(statusOf(new Error('put: The specified object name is not valid. (10020)'))).toBe(500);
});

test('While Stripe gives no usable answer, people are asked to try again, and the log names Stripe’s request', () => {
  const log = vi.fn();
  const raw = { type: 'api_error', code: 'lock_timeout', requestId: 'req_1', message: 'No.' } as const;
  const shown = toApiError(Stripe.errors.StripeError.generate(raw), { var: { log } } as never);
  expect([shown.status, shown.message]).toEqual([
    503,
    'Our payment provider is not responding right now. Please try again in a moment.',
  ]);
  expect(log.mock.calls).toEqual([
    ['stripe.failed', { type: 'StripeAPIError', code: 'lock_timeout', stripeRequest: 'req_1' }],
  ]);
});
