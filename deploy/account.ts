/** Who deploys, and to which Cloudflare account. */
import * as z from 'zod';
import { DeployError } from './errors.ts';
import { isInteractive, terminal } from './console.ts';
import { saveSettings, settingsFile, type Settings } from './settings.ts';
import { askWrangler, mustAskWrangler, runWrangler } from './wrangler.ts';

const whoami = z.object({
  email: z.string().optional(),
  accounts: z.array(z.object({ id: z.string(), name: z.string() })),
  /** The permissions of `wrangler login`; absent with an API token. */
  tokenPermissions: z.array(z.string()).optional(),
});

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly email?: string | undefined;
  /**
   * The permissions of `wrangler login`; undefined with an API token, because wrangler does not report the
   * permissions of tokens.
   */
  readonly permissions: readonly string[] | undefined;
}

/** Makes sure that wrangler is signed in. If it is not, starts the sign-in. */
async function signIn(): Promise<z.output<typeof whoami>> {
  const { code, stdout, stderr } = await askWrangler(['whoami', '--json']);
  if (code === 0) return whoami.parse(JSON.parse(stdout));
  // A new sign-in helps if an old one has expired. It does not help a token or a build.
  const isSignedOut = /"loggedIn":\s*false/.test(stdout);
  if (!isSignedOut && (process.env['CLOUDFLARE_API_TOKEN'] || !isInteractive()))
    throw new DeployError(`wrangler whoami failed:\n${(stdout + stderr).trim()}`);
  if (!isInteractive())
    throw new DeployError('wrangler is not signed in. Set CLOUDFLARE_API_TOKEN, or run: npx wrangler login');
  terminal.say('Signing in to Cloudflare: your browser opens. Keep all permissions that wrangler asks for.');
  await runWrangler('login');
  return whoami.parse(JSON.parse(await mustAskWrangler(['whoami', '--json'])));
}

/**
 * Signs in and finds the account: the account in the settings, or the only one. If there are several, the person
 * chooses.
 * @throws DeployError no one is signed in, or the account is ambiguous
 */
export async function openAccount({ CLOUDFLARE_ACCOUNT_ID: wanted }: Settings): Promise<Account> {
  const { accounts, email, tokenPermissions } = await signIn();
  const list = accounts.map(({ id, name }) => `${name} (${id})`).join(', ');
  const known = wanted === undefined ? accounts[0] : accounts.find(({ id }) => id === wanted);
  if (wanted !== undefined && !known)
    throw new DeployError(`CLOUDFLARE_ACCOUNT_ID is ${wanted}, and this sign-in has access to: ${list}.`);
  if (!known) throw new DeployError('This sign-in does not have access to any Cloudflare account.');
  if (wanted !== undefined || accounts.length === 1)
    return { ...known, email, permissions: tokenPermissions };
  if (!isInteractive())
    throw new DeployError(
      `This sign-in has access to several Cloudflare accounts: ${list}. Put the id of one into ${settingsFile()} as CLOUDFLARE_ACCOUNT_ID.`,
    );
  accounts.forEach(({ name }, index) => terminal.say(`  ${index + 1}  ${name}`));
  const choice = accounts[Number(await terminal.ask('Which Cloudflare account? Number: ', false)) - 1];
  if (!choice) throw new DeployError('There is no such account.');
  await saveSettings({ CLOUDFLARE_ACCOUNT_ID: choice.id });
  return { ...choice, email, permissions: tokenPermissions };
}
