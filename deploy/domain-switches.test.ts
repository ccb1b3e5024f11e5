/** How a deployment handles the settings of a domain. */
import { expect, test } from 'vitest';
import { CloudflareRefusal, type AskCloudflare } from './cloudflare-api.ts';
import { offerSwitches } from './domain-switches.ts';

const right: Readonly<Record<string, string>> = {
  always_use_https: 'on',
  min_tls_version: '1.3',
  automatic_https_rewrites: 'off',
  email_obfuscation: 'off',
  rocket_loader: 'off',
};
const zone = { id: 'zone', name: 'agency.example', status: 'active' };
const nobody = { ask: () => Promise.reject(new Error('It asks.')), say: () => undefined };

test('A deployment does not change a correctly configured domain, even if the API does not report Web Analytics', async () => {
  const cloudflare: AskCloudflare = (path) => {
    const id = path.split('/').at(-1) ?? '';
    if (id === 'bot_management') return Promise.resolve({ fight_mode: false });
    return id in right
      ? Promise.resolve({ value: right[id] })
      : Promise.reject(new CloudflareRefusal(404, 'There is no such setting.'));
  };
  expect(await offerSwitches(cloudflare, zone, nobody)).toEqual({});
});

test('A setting that Cloudflare refuses to change is left to the deployer, and the others are changed', async () => {
  const state: Record<string, unknown> = {
    ...right,
    rocket_loader: 'on',
    email_obfuscation: 'on',
    rum: 'off',
  };
  const cloudflare: AskCloudflare = (path, init) => {
    const id = path.split('/').at(-1) ?? '';
    if (id === 'bot_management') return Promise.resolve({ fight_mode: false });
    if (init && id === 'email_obfuscation')
      return Promise.reject(new CloudflareRefusal(403, 'Not on this plan.'));
    if (init) state[id] = (init.body as { value: unknown }).value;
    return Promise.resolve({ value: state[id] });
  };
  const said: string[] = [];
  const person = { ask: () => Promise.resolve('y'), say: (line: string) => void said.push(line) };
  const outcome = await offerSwitches(cloudflare, zone, person);
  expect(outcome).toEqual({
    left: expect.stringMatching(/: Email Address Obfuscation off\.$/) as string,
    isToRepeat: true,
  });
  expect(said).toContain('WARNING: Email Address Obfuscation off: Not on this plan.');
  expect(state['rocket_loader']).toBe('off');
});
