/**
 * Loads Stripe's script from Stripe, or from the URL in `<meta name="stripe-script">` (the setting STRIPE_SCRIPT_URL).
 * `loadStripe` would wait for the key, so this request starts before the key is known. `loadStripe` then uses the
 * existing `window.Stripe`.
 */
import type { Stripe } from '@stripe/stripe-js';
import { loadStripe } from '@stripe/stripe-js/pure';
import { CallError, api } from '#site/app/call.ts';

/** The URL of the Stripe.js release that `@stripe/stripe-js` expects. */
export const stripeScriptAddress = 'https://js.stripe.com/endive/stripe.js';

function addScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () =>
      window.Stripe === undefined ? reject(new Error('Stripe.js not available')) : resolve();
    script.onerror = () => {
      script.remove();
      reject(new Error('Failed to load Stripe.js'));
    };
    document.head.appendChild(script);
  });
}

async function loadScript(): Promise<void> {
  const named = document.querySelector<HTMLMetaElement>('meta[name="stripe-script"]')?.content;
  if (window.Stripe === undefined) await addScript(named ?? stripeScriptAddress);
}

const help =
  'The card field comes from Stripe, our payment provider. Check your connection, allow js.stripe.com if you block scripts, and try again.';

/** @throws CallError titled 'Failed to load Stripe.js' or 'Stripe.js not available' */
export async function openStripe(): Promise<Stripe> {
  const script = loadScript();
  // Both run in parallel. An error of the script is handled below, after the key.
  script.catch(() => undefined);
  const { data: keys } = await api('GET /stripe-keys');
  const key = keys[0]?.stripeKey;
  if (!key)
    throw new CallError({
      title: 'Card payment is not set up yet',
      status: 0,
      detail: 'Your order is safe. Please try again later, or write to us and we will help you pay.',
    });
  try {
    await script;
    const stripe = await loadStripe(key);
    if (stripe) return stripe;
    throw new Error('Stripe.js not available');
  } catch (cause) {
    const title = cause instanceof Error ? cause.message : 'Failed to load Stripe.js';
    throw new CallError({ title, status: 0, detail: help });
  }
}
