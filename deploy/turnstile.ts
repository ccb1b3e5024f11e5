/** Creates the Turnstile widget that keeps bots off the contact form. */
import * as z from 'zod';
import { confirm } from './console.ts';
import { saveSettings, type Questions, type Settings } from './settings.ts';
import { mustAskWrangler } from './wrangler.ts';

const widget = z.object({ sitekey: z.string(), secret: z.string() });

/**
 * Offers to create the widget for the site's host, and saves its two keys.
 * @returns the keys; undefined if the person declines
 * @throws DeployError Cloudflare refuses
 */
export async function offerTurnstile(
  { SITE_URL = '' }: Settings,
  questions: Questions,
): Promise<Settings | undefined> {
  const { hostname } = new URL(SITE_URL);
  const question = `Keep bots off the contact form with Cloudflare Turnstile? This creates a widget for ${hostname}.`;
  if (!(await confirm(questions, question))) return undefined;
  const said = await mustAskWrangler([
    ...['turnstile', 'widget', 'create', hostname],
    ...['--domain', hostname, '--mode', 'managed', '--json'],
  ]);
  const { sitekey, secret } = widget.parse(JSON.parse(said));
  const made = { TURNSTILE_SITE_KEY: sitekey, TURNSTILE_SECRET_KEY: secret };
  await saveSettings(made);
  return made;
}
