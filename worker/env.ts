/**
 * The Worker's bindings and settings. A deployed Worker refuses to start if settings are missing or are for local
 * use.
 */
import { dayIn } from '#contract/zoned-time.ts';
import { keysIn, settingProblems, type LimitName, type SettingValues } from './settings.ts';

/** The part of Cloudflare's email binding that we use. */
export interface EmailBinding {
  send(message: {
    to: string;
    from: string | { email: string; name: string };
    replyTo?: string;
    headers?: Readonly<Record<string, string>>;
    subject: string;
    text: string;
    html: string;
  }): Promise<unknown>;
}

/** The bindings of wrangler.toml, and the settings of `settings.ts`. */
export interface Env extends SettingValues {
  readonly ASSETS: { fetch(request: Request | string): Promise<Response> };
  readonly EMAIL: EmailBinding;
  readonly FLOOD_LIMIT: RateLimit;
  /** The private bucket: `pages/`, `backups/`, `media/`, `orders/`. */
  readonly FILES: R2Bucket;
  /** Cloudflare Images, which resizes pictures. */
  readonly IMAGES: ImagesBinding;
  /** `production`, or `local` on a developer's machine. */
  readonly ENVIRONMENT: string;
}

/** The keys that encrypt queued emails in the database. The first one encrypts; all of them can decrypt. */
export const sealingKeys = (env: Pick<Env, 'SEALING_KEYS'>): string[] => keysIn(env.SEALING_KEYS);

/** The number in a setting, such as a retention period in days, or a default. */
export const numberFrom = (env: Env, setting: LimitName, defaultValue: number): number =>
  env[setting] !== undefined && /^\d+$/.test(env[setting]) ? Number(env[setting]) : defaultValue;

/** The key with which a page opens Turnstile's widget; undefined if Turnstile is off. */
export const turnstileSiteKey = (env: Env): string | undefined =>
  env.TURNSTILE_SECRET_KEY ? env.TURNSTILE_SITE_KEY || undefined : undefined;

/** The day of an instant in the site's time zone, YYYY-MM-DD. @param at time in ms */
export const dayOf = (env: Pick<Env, 'SITE_TIMEZONE'>, at: number): string => dayIn(env.SITE_TIMEZONE, at);

const known = new WeakMap<Env, readonly string[]>();

/** A sentence for each problem with the settings; empty if the Worker may start. Each isolate checks them once. */
export function settingsErrors(env: Env): readonly string[] {
  const found = known.get(env) ?? settingProblems(env, { isLocal: env.ENVIRONMENT === 'local' });
  known.set(env, found);
  return found;
}
