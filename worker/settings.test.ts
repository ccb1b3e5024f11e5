import { expect, test } from 'vitest';
import { settingProblems } from './settings.ts';

/** The settings of a local site, to which all of these rules apply too. */
const settings = {
  SITE_URL: 'http://site.test',
  TURSO_DATABASE_URL: 'http://127.0.0.1:8080',
  STRIPE_SECRET_KEY: 'sk_test_none',
  STRIPE_WEBHOOK_SECRET: 'whsec_none',
  SEALING_KEYS: 'a-sealing-key-of-the-tests-0123456789',
  MAIL_FROM: 'site@site.test',
  NOTIFY_EMAIL: 'firm@site.test',
  SITE_TIMEZONE: 'UTC',
};
const problemsWith = (changes: object) => settingProblems({ ...settings, ...changes }, { isLocal: true });

test('The site starts with valid settings', () => {
  for (const more of [
    {},
    { MAIL_FROM: 'Ann & Co. <site@site.test>' },
    { MAIL_TRANSPORT: 'resend', RESEND_API_KEY: 're_1' },
    { TOKEN_SYNC_URL: 'https://crm.example', TOKEN_SIGNING_KEY: 'a-signing-key' },
  ])
    expect(problemsWith(more)).toEqual([]);
});

test('The site does not start with an invalid address, or with half of a pair of settings', () => {
  for (const MAIL_FROM of ['Ann', '"Ann" <a@site.test>', 'A\r\nBcc: x <a@site.test>', 'a@b.test, c@d.test'])
    expect(problemsWith({ MAIL_FROM })).toEqual([expect.stringMatching(/^MAIL_FROM must be/)]);
  for (const [half, said] of [
    [{ ALERT_EMAIL: 'nobody' }, 'ALERT_EMAIL must be one email address.'],
    [{ SITE_COUNTRY: 'USA' }, 'SITE_COUNTRY must be the two letters of a country, such as US.'],
    [{ MAIL_TRANSPORT: 'resend' }, 'MAIL_TRANSPORT is resend, which needs RESEND_API_KEY.'],
    [
      { TURNSTILE_SITE_KEY: 'key' },
      'TURNSTILE_SITE_KEY and TURNSTILE_SECRET_KEY must be set together, or not at all.',
    ],
    [
      { TOKEN_SYNC_URL: 'https://crm.example' },
      'TOKEN_SYNC_URL is set without TOKEN_SIGNING_KEY, which signs what is sent there.',
    ],
  ] as const)
    expect(problemsWith(half)).toEqual([said]);
});
