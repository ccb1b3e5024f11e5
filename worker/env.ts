/** What the Worker is given: bindings and settings. A deployed Worker refuses to start on missing or local ones. */

/** The part of Cloudflare's email binding that we use. */
export interface EmailBinding {
  send(message: { to: string; from: string; subject: string; text: string; html: string }): Promise<unknown>;
}

/** Cloudflare's rate-limit binding. */
export interface RateLimitBinding {
  limit(options: { key: string }): Promise<{ success: boolean }>;
}

export interface Env {
  readonly ASSETS: { fetch(request: Request | string): Promise<Response> };
  readonly EMAIL: EmailBinding;
  readonly FLOOD_LIMIT: RateLimitBinding;
  /** Files of every kind, never public: `pages/`, `backups/`, `media/`, `orders/`. */
  readonly FILES: R2Bucket;

  /** `production`, or `local` on one's own machine. */
  readonly ENVIRONMENT: string;
  /** Public address of the site without a trailing slash; links in mails and canonical addresses begin with it. */
  readonly SITE_URL: string;
  readonly SITE_TIMEZONE?: string;
  readonly TURSO_DATABASE_URL: string;
  readonly TURSO_AUTH_TOKEN?: string;
  readonly STRIPE_SECRET_KEY: string;
  /** One or, while rotating, several secrets separated by commas. */
  readonly STRIPE_WEBHOOK_SECRET: string;
  /** Address of another Stripe API, `http://localhost:1234`; only the local set-up has one. */
  readonly STRIPE_API_URL?: string;
  /** Where the payment page loads Stripe.js from. */
  readonly STRIPE_SCRIPT_URL?: string;
  /**
   * Keys of at least 32 characters, separated by commas, that seal the mails waiting in the database (mail/seal.ts). The
   * first seals, all open: to rotate, put a new one in front and drop the old one once no mail sealed with it waits.
   */
  readonly SEALING_KEYS: string;
  readonly MAIL_FROM: string;
  /** Who is told of new messages, paid orders and, once an hour, unpaid ones. */
  readonly NOTIFY_EMAIL: string;
  readonly SETUP_TOKEN?: string;
  /** Signs the short-lived ID tokens of the token sync. */
  readonly TOKEN_SIGNING_KEY?: string;
  readonly TOKEN_SYNC_URL?: string;
  readonly GOOGLE_CLIENT_ID?: string;
  readonly GOOGLE_CLIENT_SECRET?: string;
  /** Another OpenID issuer in Google's place; only tests have one. */
  readonly GOOGLE_ISSUER_URL?: string;
  readonly REGISTER_LOGO_URL?: string;
  readonly TURNSTILE_SITE_KEY?: string;
  readonly TURNSTILE_SECRET_KEY?: string;
  /** Another siteverify in Cloudflare's place; only tests have one. */
  readonly TURNSTILE_VERIFY_URL?: string;

  /** Allowances, each a whole number; the defaults are those of `accounts/limits.ts`. */
  readonly [limit: `LIMIT_${string}`]: string | undefined;
}

const required = [
  'SITE_URL',
  'TURSO_DATABASE_URL',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SEALING_KEYS',
  'MAIL_FROM',
  'NOTIFY_EMAIL',
] as const satisfies readonly (keyof Env)[];

/** The keys that seal what waits in the database; the first seals, all open. */
export const sealingKeys = (env: Pick<Env, 'SEALING_KEYS'>): string[] =>
  env.SEALING_KEYS.split(',').map((key) => key.trim());

const isLocal = (value: string | undefined) =>
  value !== undefined && /\/\/(localhost|127\.|\[::1\])/.test(value);

/** Settings that do nothing without each other. */
const pairs = [
  ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
] as const satisfies readonly (readonly [keyof Env, keyof Env])[];

/** What is wrong with settings that are there, wherever the Worker runs. */
function unusable(env: Env): string[] {
  const half = pairs
    .filter(([one, other]) => Boolean(env[one]) !== Boolean(env[other]))
    .map(([one, other]) => `${one} and ${other} are set together or not at all.`);
  const unsigned =
    env.TOKEN_SYNC_URL && !env.TOKEN_SIGNING_KEY
      ? ['TOKEN_SYNC_URL is set without TOKEN_SIGNING_KEY, which signs what is sent there.']
      : [];
  const short =
    env.SEALING_KEYS && sealingKeys(env).some((key) => key.length < 32)
      ? ['SEALING_KEYS must be keys of at least 32 characters, separated by commas.']
      : [];
  return [...half, ...unsigned, ...short];
}

/** What is wrong with the settings, a sentence each; empty when the Worker may start. */
export function settingsErrors(env: Env): string[] {
  const missing = required.filter((name) => !env[name]).map((name) => `${name} is not set.`);
  if (env.ENVIRONMENT === 'local') return [...missing, ...unusable(env)];
  const local = (
    [
      'SITE_URL',
      'TURSO_DATABASE_URL',
      'STRIPE_API_URL',
      'STRIPE_SCRIPT_URL',
      'GOOGLE_ISSUER_URL',
      'TURNSTILE_VERIFY_URL',
    ] as const
  )
    .filter((name) => isLocal(env[name]))
    .map((name) => `${name} names this machine, which only the local set-up may do.`);
  const insecure =
    env.SITE_URL && !env.SITE_URL.startsWith('https://') ? ['SITE_URL must begin with https://.'] : [];
  return [...missing, ...local, ...insecure, ...unusable(env)];
}
