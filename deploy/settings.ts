/** The settings of a deployment: the environment, or `.env.production` next to package.json. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import {
  isLimitName,
  isOnWorkersDev,
  isSettingName,
  limitNames,
  refusal,
  settingNamed,
  settingNames,
  type LimitName,
  type Setting,
  type SettingName,
} from '#worker/settings.ts';
import { DeployError } from './errors.ts';

export const projectDir = join(import.meta.dirname, '..');

export type Settings = { readonly [N in SettingName | LimitName]?: string };

/** The path of the file with a deployment's settings. `SETTINGS_FILE` overrides it. */
export const settingsFile = (): string => process.env['SETTINGS_FILE'] ?? join(projectDir, '.env.production');

async function readFileSettings(): Promise<Record<string, string | undefined>> {
  const file = settingsFile();
  return existsSync(file) ? parseEnv(await readFile(file, 'utf8')) : {};
}

/**
 * Reads the settings. The environment overrides the file.
 * @throws if the file contains an unknown name, because a misspelled setting would be ignored silently
 */
export async function readSettings(): Promise<Settings> {
  const kept = await readFileSettings();
  const unknown = Object.keys(kept).filter((name) => !isSettingName(name) && !isLimitName(name));
  if (unknown.length > 0)
    throw new DeployError(`${settingsFile()} contains unknown settings: ${unknown.join(', ')}.`);
  return Object.fromEntries(
    [...settingNames, ...limitNames].flatMap((name) => {
      const value = process.env[name] ?? kept[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** The Cloudflare account in the settings, if any, for tools that need no other setting. */
export const accountId = async (): Promise<string | undefined> =>
  process.env['CLOUDFLARE_ACCOUNT_ID'] ?? (await readFileSettings())['CLOUDFLARE_ACCOUNT_ID'];

const ofKind =
  (...kinds: readonly Setting['kind'][]) =>
  (settings: Settings): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(settings).filter(([name]) =>
        kinds.includes(isSettingName(name) ? settingNamed(name).kind : 'variable'),
      ),
    );

export const secretsOf = ofKind('secret');

export const variablesOf = ofKind('variable');

/** A value in the format of the file. Values that parseEnv would misread are quoted. */
function quote(value: string): string {
  if (!/[\s#'"`\\]/.test(value)) return value;
  const mark = ["'", '"', '`'].find((sign) => !value.includes(sign));
  if (mark === undefined) throw new Error('A setting cannot contain all three kinds of quotes.');
  return mark + value + mark;
}

/** Adds settings to the file, which only its owner may read. Existing lines stay unchanged. */
export async function saveSettings(added: Settings): Promise<void> {
  const file = settingsFile();
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = Object.entries(added).map(([name, value]) => `${name}=${quote(value)}\n`);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, gap + lines.join(''), { mode: 0o600 });
  await chmod(file, 0o600);
}

/**
 * Generates the settings that are neither given nor already in the Worker, and saves them in the file.
 * @param except settings to skip, because no one could read the generated value
 */
export async function generateSettings(
  settings: Settings,
  inWorker: ReadonlySet<string>,
  except: readonly SettingName[] = [],
): Promise<Settings> {
  const made: Settings = Object.fromEntries(
    settingNames
      .filter((name) => settingNamed(name).made === 'random' && !except.includes(name))
      .filter((name) => !settings[name] && !inWorker.has(name))
      .map((name) => [name, randomBytes(32).toString('base64')]),
  );
  if (Object.keys(made).length > 0) await saveSettings(made);
  return { ...settings, ...made };
}

export interface Questions {
  /**
   * Asks for one value.
   * @param isSecret whether to hide what is typed
   */
  readonly ask: (question: string, isSecret: boolean) => Promise<string>;
  readonly say: (line: string) => void;
}

interface AskOptions {
  /** The value for an empty answer. */
  readonly suggest?: (name: SettingName, settings: Settings) => string | undefined;
  /** The settings not to ask for, because the deployment creates them. */
  readonly except?: readonly SettingName[];
}

/**
 * The value that is right for most businesses, if there is one. A trial sends no email, so any sender will do.
 * @param email of the person who is signed in to Cloudflare
 */
export function suggestionFor(
  name: SettingName,
  { SITE_URL = '' }: Settings,
  email: string | undefined,
): string | undefined {
  if (name === 'NOTIFY_EMAIL') return email;
  if (name === 'SITE_TIMEZONE') {
    const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
    return timeZone === 'UTC' ? undefined : timeZone;
  }
  if (name !== 'MAIL_FROM' || !URL.canParse(SITE_URL)) return undefined;
  const { hostname } = new URL(SITE_URL);
  return isOnWorkersDev(hostname) ? 'hello@example.com' : `hello@mail.${hostname.replace(/^www\./, '')}`;
}

function hintFor({ need, kind }: Setting, suggested: string | undefined): string {
  const notes = [
    ...(kind === 'secret' ? ['hidden'] : []),
    ...(suggested !== undefined || need === 'optional' ? [`Enter for ${suggested ?? 'none'}`] : []),
  ];
  return notes.length === 0 ? 'Value: ' : `Value (${notes.join('; ')}): `;
}

/**
 * Asks a person for each missing setting until the answer is valid. Each answer is saved immediately, so a second run
 * continues where the first one stopped. Optional settings are asked for only in the first run, when a required
 * one is missing.
 */
export async function askForSettings(
  settings: Settings,
  { ask, say }: Questions,
  { suggest = () => undefined, except = [] }: AskOptions = {},
): Promise<Settings> {
  let answered = settings;
  const missing = settingNames.filter((name) => !settings[name] && !settingNamed(name).made);
  const isFirst = missing.some((name) => settingNamed(name).need === 'required');
  for (const name of missing) {
    const setting = settingNamed(name);
    const isOptional = setting.need === 'optional';
    if (except.includes(name) || (isOptional && !(setting.isAsked && isFirst))) continue;
    say(`\n${name}: ${setting.about}\n  ${setting.find}`.replaceAll('`', ''));
    const suggested = suggest(name, answered);
    for (;;) {
      const typed = (await ask(hintFor(setting, suggested), setting.kind === 'secret')).trim();
      const value = typed === '' ? (suggested ?? '') : typed;
      if (value === '' && isOptional) break;
      const said = value === '' ? `${name} is required.` : refusal(name, value);
      if (said === undefined) {
        answered = { ...answered, [name]: value };
        await saveSettings({ [name]: value });
        break;
      }
      say(`  ${said}`);
    }
  }
  return answered;
}
