/**
 * Cloudflare Turnstile checks that a person sends the contact form. It is active if its keys are set. A suspected bot
 * is rejected. If Cloudflare cannot answer, the message is accepted (docs/decisions/public-forms.md).
 * https://developers.cloudflare.com/turnstile/get-started/server-side-validation/
 */
import * as z from 'zod';
import { turnstileField } from '#contract/inbox.ts';
import { turnstileSiteKey } from '../env.ts';
import type { RequestDeps } from '../http/app.ts';
import { invalid } from '../http/errors.ts';
import { describeError } from '../http/log.ts';
import { hashSecret } from '../http/secrets.ts';

const cloudflareUrl = 'https://challenges.cloudflare.com/turnstile/v0/siteverify';
const timeoutMs = 3_000;
/** A retry uses the same idempotency key, so that the token stays valid. */
const maxTries = 2;

const verdict = z.object({ success: z.boolean(), 'error-codes': z.array(z.string()).default([]) });

/** Errors caused by the token. Any other error is caused by our settings or by Cloudflare. */
const tokenErrors = new Set(['missing-input-response', 'invalid-input-response', 'timeout-or-duplicate']);

async function ask(url: string, question: object): Promise<{ isPerson: boolean; codes: string[] }> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(question),
    signal: AbortSignal.timeout(timeoutMs),
  });
  const { success, 'error-codes': codes } = verdict.parse(await answer.json());
  return { isPerson: success, codes };
}

/** A deterministic UUID for a text (RFC 9562, version 8). */
const uuidOf = (text: string): string =>
  hashSecret(text).replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-8$3-8$4-$5');

/**
 * Asks Cloudflare to check a form's token.
 * @param token from the widget; valid once, for five minutes
 * @param key the form's idempotency key; a repeated submit with the same key may reuse the token
 * @throws ApiError 422 if the token is missing, or Cloudflare rejects it
 */
export async function checkTurnstile(
  { env, log, clientIp }: RequestDeps,
  token: string | undefined,
  key: string | undefined,
): Promise<void> {
  if (turnstileSiteKey(env) === undefined) return;
  const refused = invalid({
    [turnstileField]: 'We could not verify that you are human. Please try again.',
  });
  if (!token) throw refused;
  const question = {
    secret: env.TURNSTILE_SECRET_KEY,
    response: token,
    idempotency_key: key === undefined ? crypto.randomUUID() : uuidOf(`${key}\n${token}`),
    ...(clientIp !== 'unknown' && { remoteip: clientIp }),
  };
  for (let tries = 0; tries < maxTries; tries += 1) {
    try {
      const { isPerson, codes } = await ask(env.TURNSTILE_VERIFY_URL ?? cloudflareUrl, question);
      if (isPerson) return;
      if (codes.some((code) => tokenErrors.has(code))) throw refused;
      log('turnstile.unavailable', { codes: codes.join(' ') });
    } catch (error) {
      if (error === refused) throw error;
      log('turnstile.unavailable', describeError(error));
    }
  }
}
