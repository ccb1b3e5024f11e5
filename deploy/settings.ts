/** The settings of a deployment: the environment, or `.env.production` beside package.json. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { appendFile, chmod, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import {
  isLimitName,
  isOnWorkersDev,
  isSettingName,
  refusal,
  settingNamed,
  settingNames,
  settingProblems,
  type LimitName,
  type ProblemOptions,
  type Setting,
  type SettingName,
} from '#worker/settings.ts';

export const projectDir = join(import.meta.dirname, '..');

export type Settings = { readonly [N in SettingName | LimitName]?: string };

/** Where the settings of a deployment are kept; the variable names another file. */
export const settingsFile = (): string => process.env['SETTINGS_FILE'] ?? join(projectDir, '.env.production');

async function readFileSettings(): Promise<Record<string, string | undefined>> {
  const file = settingsFile();
  return existsSync(file) ? parseEnv(await readFile(file, 'utf8')) : {};
}

/**
 * Reads the settings; the environment wins over the file.
 * @throws when the file holds a name that is not a setting: a misspelled one would be left out in silence
 */
export async function readSettings(): Promise<Settings> {
  const kept = await readFileSettings();
  const unknown = Object.keys(kept).filter((name) => !isSettingName(name) && !isLimitName(name));
  if (unknown.length > 0)
    throw new Error(`${settingsFile()} holds what is not a setting: ${unknown.join(', ')}.`);
  const names = new Set([...settingNames, ...Object.keys({ ...kept, ...process.env }).filter(isLimitName)]);
  return Object.fromEntries(
    [...names].flatMap((name) => {
      const value = process.env[name] ?? kept[name];
      return value ? [[name, value]] : [];
    }),
  );
}

/** The Cloudflare account that the settings name, if any; for tools that do without all others. */
export const accountId = async (): Promise<string | undefined> =>
  process.env['CLOUDFLARE_ACCOUNT_ID'] ?? (await readFileSettings())['CLOUDFLARE_ACCOUNT_ID'];

/** What keeps these settings from being deployed, by the rule that the Worker itself starts by. */
export const problemsOf = (settings: Settings, options: ProblemOptions = {}): string[] =>
  settingProblems(settings, options);

const entriesOf = (settings: Settings): [string, string][] =>
  Object.entries(settings).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));

const ofKind =
  (...kinds: readonly Setting['kind'][]) =>
  (settings: Settings): Readonly<Record<string, string>> =>
    Object.fromEntries(
      entriesOf(settings).filter(([name]) =>
        kinds.includes(isSettingName(name) ? settingNamed(name).kind : 'variable'),
      ),
    );

/** The settings that are uploaded as secrets. */
export const secretsOf = ofKind('secret');

/** The settings that are deployed as plain variables. */
export const variablesOf = ofKind('variable');

/** A value as it stands in the file; what parseEnv would read otherwise is quoted. */
function quote(value: string): string {
  if (!/[\s#'"`\\]/.test(value)) return value;
  const mark = ["'", '"', '`'].find((sign) => !value.includes(sign));
  if (mark === undefined) throw new Error('A setting cannot hold all three kinds of quotes.');
  return mark + value + mark;
}

/** Adds settings to the file, which only its owner may read. What is in it already stays as it is. */
export async function keepSettings(added: Settings): Promise<void> {
  const file = settingsFile();
  const text = existsSync(file) ? await readFile(file, 'utf8') : '';
  const lines = entriesOf(added).map(([name, value]) => `${name}=${quote(value)}\n`);
  const gap = text === '' || text.endsWith('\n') ? '' : '\n';
  await appendFile(file, gap + lines.join(''), { mode: 0o600 });
  await chmod(file, 0o600);
}

/**
 * Makes the generated settings that are neither given nor in the Worker already, and keeps them in the file.
 * @param except what must not be made, because nobody would come to know it
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
  if (Object.keys(made).length > 0) await keepSettings(made);
  return { ...settings, ...made };
}

export interface Questions {
  /** Asks for one value. @param isSecret whether what is typed must not be shown */
  readonly ask: (question: string, isSecret: boolean) => Promise<string>;
  readonly say: (line: string) => void;
}

interface AskOptions {
  /** What Enter stands for. */
  readonly suggest?: (name: SettingName, settings: Settings) => string | undefined;
  /** What is not asked for, because it is made. */
  readonly except?: readonly SettingName[];
}

/** What most firms answer, where that can be told; no email leaves a trial, whatever its sender. @param email of who is signed in to Cloudflare */
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
 * Asks a person, one by one, for what is missing, until it holds; each answer is kept at once, so that a second start
 * goes on where the first was left. Optional settings are asked for at the first start alone, when a required one is
 * missing.
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
      const said = value === '' ? `${name} is needed.` : refusal(name, value);
      if (said === undefined) {
        answered = { ...answered, [name]: value };
        await keepSettings({ [name]: value });
        break;
      }
      say(`  ${said}`);
    }
  }
  return answered;
}
