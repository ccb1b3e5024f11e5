/**
 * The settings of a Cloudflare domain that the site depends on. `wrangler login` grants no access to them, so we ask
 * the person for an API token, which is used once and not stored.
 */
import * as z from 'zod';
import { cloudflareApi, CloudflareRefusal, type AskCloudflare, type Zone } from './cloudflare-api.ts';
import { confirm } from './console.ts';
import type { Questions } from './settings.ts';
import { messageOf } from './errors.ts';

interface Switch {
  readonly name: string;
  readonly isWrong: (ask: AskCloudflare, zone: Zone) => Promise<boolean>;
  readonly set: (ask: AskCloudflare, zone: Zone) => Promise<unknown>;
}

const setting = z.object({ value: z.unknown() });

/** A zone setting. https://developers.cloudflare.com/api/resources/zones/subresources/settings/ */
function zoneSetting(
  id: string,
  name: string,
  wanted: string,
  isRight = (value: unknown) => value === wanted,
): Switch {
  const path = (zone: Zone) => `/zones/${zone.id}/settings/${id}`;
  return {
    name,
    isWrong: async (ask, zone) => !isRight(setting.parse(await ask(path(zone))).value),
    set: (ask, zone) => ask(path(zone), { method: 'PATCH', body: { value: wanted } }),
  };
}

const state = z.object({ value: z.string() });

/**
 * Web Analytics, which injects its script into pages. If the API does not report its state, we assume that it is off.
 * `npm run doctor` finds the script in a page if it is on. https://developers.cloudflare.com/api/resources/rum/
 */
const webAnalytics: Switch = {
  ...zoneSetting('rum', 'Web Analytics off', 'off'),
  async isWrong(ask, zone) {
    try {
      return state.parse(await ask(`/zones/${zone.id}/settings/rum`)).value.toLowerCase() === 'on';
    } catch (error) {
      if (error instanceof CloudflareRefusal && error.status !== 403) return false;
      throw error;
    }
  },
};

const bots = z.object({ fight_mode: z.boolean().optional() });

const switches: readonly Switch[] = [
  zoneSetting('always_use_https', 'Always Use HTTPS on', 'on'),
  zoneSetting(
    'min_tls_version',
    'Minimum TLS Version 1.2',
    '1.2',
    (value) => value === '1.2' || value === '1.3',
  ),
  zoneSetting('automatic_https_rewrites', 'Automatic HTTPS Rewrites off', 'off'),
  zoneSetting('email_obfuscation', 'Email Address Obfuscation off', 'off'),
  zoneSetting('rocket_loader', 'Rocket Loader off', 'off'),
  webAnalytics,
  {
    // https://developers.cloudflare.com/api/resources/bot_management/
    name: 'Bot Fight Mode off',
    isWrong: async (ask, zone) =>
      bots.parse(await ask(`/zones/${zone.id}/bot_management`)).fight_mode === true,
    set: (ask, zone) =>
      ask(`/zones/${zone.id}/bot_management`, { method: 'PUT', body: { fight_mode: false } }),
  },
];

/**
 * The page that creates the API token
 * (https://developers.cloudflare.com/fundamentals/api/how-to/account-owned-token-template/).
 */
const tokenPage = `https://dash.cloudflare.com/profile/api-tokens?${new URLSearchParams({
  permissionGroupKeys: JSON.stringify([
    { key: 'zone_settings', type: 'edit' },
    { key: 'bot_management', type: 'edit' },
  ]),
  accountId: '*',
  zoneId: 'all',
  name: 'Storefront domain settings',
}).toString()}`;

/** @throws CloudflareRefusal 403 the token lacks the permission */
async function findWrong(ask: AskCloudflare, zone: Zone): Promise<readonly Switch[]> {
  const states = await Promise.all(switches.map((one) => one.isWrong(ask, zone)));
  return switches.filter((_, index) => states[index]);
}

/** What is left for a person who changes the settings by hand. */
const byHand = (domain: string, left: readonly Switch[]): string =>
  `Settings of ${domain} in the Cloudflare dashboard (docs/deploy.md, Settings of your domain): ${left.map(({ name }) => name).join(', ')}.`;

/** What is left if a deployment changes none of the settings. */
export const allByHand = (domain: string): string => byHand(domain, switches);

interface Found {
  readonly api: AskCloudflare;
  readonly wrong: readonly Switch[];
}

/** Reads the switches with an API token. Returns Cloudflare's refusal if the token may not read them. */
async function lookWith(api: AskCloudflare, zone: Zone): Promise<Found | CloudflareRefusal> {
  try {
    return { api, wrong: await findWrong(api, zone) };
  } catch (error) {
    if (error instanceof CloudflareRefusal && error.status < 500) return error;
    throw error;
  }
}

/** Asks for a token until the person enters one that may read the switches; undefined if they enter none. */
async function askForToken(zone: Zone, { ask, say }: Questions): Promise<Found | undefined> {
  say(
    `\nThe site needs these settings of ${zone.name}: ${switches.map(({ name }) => name).join(', ')}.\n  They apply to the whole domain. To let this deployment change them, create an API token on this page, which fills in the permissions, and paste it here. Delete the token afterward.\n  ${tokenPage}`,
  );
  for (;;) {
    const token = (await ask('Token (hidden; Enter to change the settings yourself): ', true)).trim();
    if (token === '') return undefined;
    const found = await lookWith(cloudflareApi(token), zone);
    if (!(found instanceof CloudflareRefusal)) return found;
    say(
      `  Cloudflare does not accept this token for ${zone.name} (${found.message}). Copy it again, or create another one on that page.`,
    );
  }
}

/** Corrects switches one by one. @returns those that Cloudflare rejected; the person has seen the errors */
async function correct({ api, wrong }: Found, zone: Zone, { say }: Questions): Promise<Switch[]> {
  const refused: Switch[] = [];
  for (const one of wrong)
    try {
      await one.set(api, zone);
      say(`Set for ${zone.name}: ${one.name}.`);
    } catch (error) {
      say(`WARNING: ${one.name}: ${messageOf(error)}`);
      refused.push(one);
    }
  return refused;
}

interface SwitchesOutcome {
  /** What is left for the person to do, as a sentence. */
  readonly left?: string;
  /** Whether something failed, so that the next deployment offers it again. */
  readonly isToRepeat?: true;
}

/**
 * @param own the API with wrangler's token, which has access if CLOUDFLARE_API_TOKEN has the permissions
 * @throws CloudflareRefusal, or TypeError if Cloudflare does not answer
 */
export async function offerSwitches(
  own: AskCloudflare,
  zone: Zone,
  questions: Questions,
): Promise<SwitchesOutcome> {
  const ownLook = await lookWith(own, zone);
  const found = ownLook instanceof CloudflareRefusal ? await askForToken(zone, questions) : ownLook;
  if (found === undefined) return { left: allByHand(zone.name) };
  if (found.wrong.length === 0) return {};
  const list = found.wrong.map(({ name }) => name).join(', ');
  if (!(await confirm(questions, `Change these settings for the whole domain ${zone.name}: ${list}?`)))
    return { left: byHand(zone.name, found.wrong) };
  const refused = await correct(found, zone, questions);
  return refused.length === 0 ? {} : { left: byHand(zone.name, refused), isToRepeat: true };
}
