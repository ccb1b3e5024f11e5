/**
 * The Content-Security-Policy of a page: its own inline scripts and styles by hash, files from this origin, Stripe's
 * hosts only on pages with the card form, and Cloudflare's where the contact form has Turnstile.
 * https://www.w3.org/TR/CSP3/
 */
import { callAddress } from '#contract/call-address.ts';
import { turnstileSiteKey, type Env } from '../env.ts';

/** The attributes of a tag. A quoted value may contain anything, even a tag. */
const inTag = /(?:"[^"]*"|'[^']*'|[^>"'])*/.source;
/**
 * An inline script or style with its attributes and text, or any other tag, so that the search skips the whole tag.
 */
const tagOrBlock = new RegExp(`<(script|style)\\b(${inTag})>([\\s\\S]*?)</\\1>|<\\w${inTag}>`, 'gi');

async function hashOf(text: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text));
  return `'sha256-${btoa(String.fromCharCode(...new Uint8Array(digest)))}'`;
}

/** What a page may load in addition to the common policy. */
export interface PolicyOptions {
  /** Hosts of the card form: scripts, frames and calls. */
  readonly stripe?: { readonly script: string; readonly frames: string; readonly connect: string };
  /** The contact form has Turnstile. */
  readonly turnstile?: boolean;
  /** The preview is framed by the editor. */
  readonly framedBySelf?: boolean;
  /** The editor frames the preview. */
  readonly framesSelf?: boolean;
}

/** Stripe's hosts (https://docs.stripe.com/security/guide#content-security-policy), or the local stand-in's origin. */
export function stripeHosts(env: Pick<Env, 'STRIPE_SCRIPT_URL'>): NonNullable<PolicyOptions['stripe']> {
  if (env.STRIPE_SCRIPT_URL) {
    const { origin } = new URL(env.STRIPE_SCRIPT_URL);
    return { script: origin, frames: origin, connect: origin };
  }
  return {
    script: 'https://js.stripe.com https://*.js.stripe.com',
    frames: 'https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com',
    connect: 'https://api.stripe.com',
  };
}

/**
 * The headers of a page with the card form: the windows that wallets open may communicate with it, and Stripe's frames may use
 * the Payment Request API. https://docs.stripe.com/payments/link/card-element-link,
 * https://w3c.github.io/payment-request/#permissions-policy
 */
export function walletHeaders(env: Pick<Env, 'STRIPE_SCRIPT_URL'>): Readonly<Record<string, string>> {
  const hosts = stripeHosts(env)
    .script.split(' ')
    .map((host) => `"${host}"`);
  return {
    'Cross-Origin-Opener-Policy': 'same-origin-allow-popups',
    'Permissions-Policy': `camera=(), geolocation=(), microphone=(), payment=(self ${hosts.join(' ')})`,
  };
}

/** The host of Turnstile. https://developers.cloudflare.com/turnstile/reference/content-security-policy/ */
export const turnstileHost = 'https://challenges.cloudflare.com';

/** A page's policy extended for Turnstile, which depends on the settings and not on the page's bytes. */
const withTurnstile = (policy: string): string =>
  policy
    .replace('; style-src', ` ${turnstileHost}; style-src`)
    .replace("frame-src 'none'", `frame-src ${turnstileHost}`);

/** Whether a page has the contact form and Turnstile is active. */
export const hasTurnstile = (env: Env, html: string): boolean =>
  turnstileSiteKey(env) !== undefined && html.includes(callAddress('POST /add-message'));

/** The Content-Security-Policy of a rendered page. */
export const policyOfPage = (
  env: Env,
  { html, csp }: { readonly html: string; readonly csp: string },
): string => (hasTurnstile(env, html) ? withTurnstile(csp) : csp);

export async function policyFor(html: string, options: PolicyOptions = {}): Promise<string> {
  const scripts = new Set<string>();
  const styles = new Set<string>();
  for (const [, tag, attributes = '', body = ''] of html.matchAll(tagOrBlock)) {
    if (tag === undefined) continue;
    if (tag.toLowerCase() === 'style') styles.add(await hashOf(body));
    else if (!/\bsrc=/.test(attributes) && !/type="?application\/(ld\+)?json/.test(attributes))
      scripts.add(await hashOf(body));
  }
  const { stripe, turnstile = false, framedBySelf, framesSelf } = options;
  const directive = (name: string, ...sources: (string | undefined)[]) =>
    [name, ...sources.filter((source) => source !== undefined)].join(' ');
  const policy = [
    directive('default-src', "'none'"),
    directive('script-src', "'self'", ...scripts, stripe?.script),
    directive('style-src', "'self'", ...styles),
    directive('img-src', "'self'", 'https:', 'data:'),
    directive('font-src', "'self'"),
    directive('connect-src', "'self'", stripe?.connect),
    directive('frame-src', framesSelf ? "'self'" : stripe ? stripe.frames : "'none'"),
    directive('manifest-src', "'self'"),
    directive('form-action', "'self'"),
    directive('base-uri', "'none'"),
    directive('frame-ancestors', framedBySelf ? "'self'" : "'none'"),
  ].join('; ');
  return turnstile ? withTurnstile(policy) : policy;
}
