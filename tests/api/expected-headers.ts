/** What the headers of a page and of a call must say, for the tests of some of them and of all. */
import { expect } from 'vitest';
import type { ListedCall } from '#contract/calls/index.ts';
import { newId } from '#contract/ids.ts';
import { fillPath } from '#contract/route-pattern.ts';
import type { Screen } from '#contract/screens.ts';
import { callPath } from '../support/calls.ts';
import { livePage } from '../support/content.ts';
import type { Answer, Visitor } from '../support/visitor.ts';

/** The pages behind mailed links, whose addresses hold a secret. */
export const mailedPages = [
  '/verify-email',
  '/reset-password',
  '/invitation',
  '/confirm-subscription',
  '/unsubscribe',
];

/** The directives of a policy: name to sources. */
function policyOf({ headers }: Answer): Map<string, readonly string[]> {
  const policy = headers.get('Content-Security-Policy') ?? '';
  return new Map(
    policy.split(';').map((directive) => {
      const [name = '', ...sources] = directive.trim().split(/\s+/);
      return [name, sources];
    }),
  );
}

/** Checks what every answer carries. @param what the pattern of a page, or another name for the message */
export function expectCommonHeaders({ headers }: Answer, what: string): void {
  const maxAge = /max-age=(\d+)/.exec(headers.get('Strict-Transport-Security') ?? '')?.[1];
  expect(Number(maxAge), what).toBeGreaterThanOrEqual(31_536_000);
  expect(headers.get('X-Content-Type-Options'), what).toBe('nosniff');
  expect(headers.get('Referrer-Policy'), what).toBe(
    mailedPages.includes(what) ? 'no-referrer' : 'strict-origin-when-cross-origin',
  );
  expect(headers.get('Content-Security-Policy'), what).toContain("default-src 'none'");
  expect(headers.get('Content-Security-Policy'), what).not.toMatch(
    /unsafe-|(^|\s)\*(\s|;|$)|http:(?!\/\/127\.0\.0\.1:)/,
  );
  for (const name of headers.keys()) expect(name, what).not.toMatch(/^(server|x-powered-by|access-control-)/);
}

/** Checks that a page loads only what it may, and that a cache keeps it only when it is the same for everyone. */
export async function expectPageHeaders(
  caller: Visitor,
  { pattern, kind }: Screen,
  stripeOrigin: string,
): Promise<void> {
  const path = fillPath(pattern, newId());
  const answer = kind === 'content' ? await livePage(caller, path) : await caller.get(path);
  expectCommonHeaders(answer, pattern);
  const isPublic = !(answer.headers.get('Cache-Control') ?? '').includes('no-store');
  expect(isPublic, pattern).toBe(kind === 'content');
  if (answer.status === 302) return;
  const policy = policyOf(answer);
  const framers = kind === 'preview' && answer.status === 200 ? ["'self'"] : ["'none'"];
  expect(policy.get('frame-ancestors'), pattern).toEqual(framers);
  expect(policy.get('base-uri'), pattern).toEqual(["'none'"]);
  expect(policy.get('form-action'), pattern).toEqual(["'self'"]);
  expect(policy.has('object-src'), pattern).toBe(false);
  const hosts = ['script-src', 'connect-src', 'frame-src', 'style-src', 'font-src'].flatMap((name) =>
    (policy.get(name) ?? []).filter((source) => !/^'(self|none|sha256-[\w+/=]+)'$/.test(source)),
  );
  expect([...new Set(hosts)], pattern).toEqual(kind === 'pay' ? [stripeOrigin] : []);
  expect(answer.text, pattern).not.toMatch(/<[a-z][^>]*\s(style|on[a-z]+)="/i);
  // Wallets open windows that talk to the page, and use the browser's payment dialog in Stripe's frames.
  const [opener, payment] =
    kind === 'pay'
      ? ['same-origin-allow-popups', `payment=(self "${stripeOrigin}")`]
      : ['same-origin', 'payment=()'];
  expect(answer.headers.get('Cross-Origin-Opener-Policy'), pattern).toBe(opener);
  expect(answer.headers.get('Permissions-Policy'), pattern).toContain(payment);
}

/** Checks that no cache keeps the answer of a call. What is sent holds for no call, so it changes nothing. */
export async function expectCallHeaders(caller: Visitor, { name, method, path }: ListedCall): Promise<void> {
  const body = method === 'GET' ? undefined : {};
  const answer = await caller.send(method, callPath(path, path.includes(':id') ? newId() : '0'), body);
  expectCommonHeaders(answer, name);
  expect(answer.headers.get('Cache-Control'), name).toBe('no-store');
  expect(answer.headers.get('Content-Security-Policy'), name).toContain("frame-ancestors 'none'");
  if (answer.status >= 400)
    expect(answer.headers.get('Content-Type'), name).toContain('application/problem+json');
}
