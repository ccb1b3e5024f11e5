/** The settings of a deployment: the environment, or `.env.production` beside package.json. */
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { settingsErrors, type Env } from '../worker/env.ts';

const projectDir = join(import.meta.dirname, '..');

/** Settings that the Worker must have, and those it may have; all of them are uploaded as secrets. */
const names = [
  'SITE_URL',
  'SITE_TIMEZONE',
  'TURSO_DATABASE_URL',
  'TURSO_AUTH_TOKEN',
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'SEALING_KEYS',
  'MAIL_FROM',
  'NOTIFY_EMAIL',
  'SETUP_TOKEN',
  'TOKEN_SIGNING_KEY',
  'TOKEN_SYNC_URL',
  'GOOGLE_CLIENT_ID',
  'GOOGLE_CLIENT_SECRET',
  'REGISTER_LOGO_URL',
  'TURNSTILE_SITE_KEY',
  'TURNSTILE_SECRET_KEY',
] as const;

export type Settings = Readonly<Partial<Record<(typeof names)[number], string>>>;

/** Reads the settings; the environment wins over the file. */
export async function readSettings(): Promise<Settings> {
  const file = join(projectDir, '.env.production');
  const kept = existsSync(file) ? parseEnv(await readFile(file, 'utf8')) : {};
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = process.env[name] ?? kept[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** What keeps these settings from being deployed, by the rule that the Worker itself starts by. */
export const problemsOf = (settings: Settings): string[] =>
  settingsErrors({ ENVIRONMENT: 'production', ...settings } as Env);
