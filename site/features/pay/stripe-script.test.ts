import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stripeScriptAddress } from './stripe-script.ts';

const modules = join(import.meta.dirname, '../../../node_modules');

test('The pay page loads the Stripe.js release that the installed package is made for', async () => {
  const loader = await readFile(join(modules, '@stripe/stripe-js/dist/pure.mjs'), 'utf8');
  const [, release] = /RELEASE_TRAIN = '(\w+)'/.exec(loader) ?? [];
  expect(stripeScriptAddress).toBe(`https://js.stripe.com/${String(release)}/stripe.js`);
});
