import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { policyFor, stripeHosts, walletHeaders } from './policy.ts';

test('A page’s policy allows its own inline blocks by hash and no other inline code', async () => {
  const html = [
    '<script>one()</script><SCRIPT type="module">two()</SCRIPT><style media="print">p {}</style>',
    '<script src="/a.js">not run</script><script type="application/ld+json">{}</script>',
    '<script type=application/json>{}</script>',
    `<meta content="a <style> and a <script>'"><script data-a="</script>">three()</script><b title='<style>'></b>`,
  ].join('');
  const hash = (block: string) => `'sha256-${createHash('sha256').update(block).digest('base64')}'`;
  expect(await policyFor(html)).toBe(
    [
      "default-src 'none'",
      `script-src 'self' ${hash('one()')} ${hash('two()')} ${hash('three()')}`,
      `style-src 'self' ${hash('p {}')}`,
      "img-src 'self' https: data:",
      "font-src 'self'",
      "connect-src 'self'",
      "frame-src 'none'",
      "manifest-src 'self'",
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
  );
  const local = { STRIPE_SCRIPT_URL: 'http://127.0.0.1:4/v3' };
  expect(await policyFor('', { stripe: stripeHosts(local), turnstile: true })).toContain(
    "script-src 'self' http://127.0.0.1:4 https://challenges.cloudflare.com; style-src 'self';",
  );
  expect(walletHeaders(local)['Permissions-Policy']).toContain('payment=(self "http://127.0.0.1:4")');
});

test('The page with the card form may load Stripe’s hosts', async () => {
  const policy = await policyFor('', { stripe: stripeHosts({}) });
  for (const directive of [
    "script-src 'self' https://js.stripe.com https://*.js.stripe.com;",
    "connect-src 'self' https://api.stripe.com;",
    'frame-src https://js.stripe.com https://*.js.stripe.com https://hooks.stripe.com;',
  ])
    expect(policy).toContain(directive);
  expect(walletHeaders({})['Permissions-Policy']).toContain(
    'payment=(self "https://js.stripe.com" "https://*.js.stripe.com")',
  );
});
