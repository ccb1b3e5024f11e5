/**
 * Every setting of the product: its purpose, where to find its value, and whether it is a secret. The Worker
 * checks its settings against this table and refuses to start with invalid ones. `npm run deploy` asks for,
 * generates and uploads these settings. docs/deploy.md lists them.
 */

export interface Setting {
  /** Whether the site starts without it. */
  readonly need: 'required' | 'optional';
  /**
   * How `npm run deploy` creates the value, once: at random, or at Stripe. The Worker may be the only one that has it.
   */
  readonly made?: 'random' | 'stripe';
  /**
   * - `secret`: uploaded so that no one can read it again.
   * - `variable`: shown in Cloudflare's dashboard.
   * - `deployment`: used by `npm run deploy` only.
   * - `stand-in`: replaces a vendor's server in the local setup and in tests.
   */
  readonly kind: 'secret' | 'variable' | 'deployment' | 'stand-in';
  readonly about: string;
  /** Where to find its value, and the format. */
  readonly find: string;
  /** Whether an interactive deployment asks for it although it is optional. */
  readonly isAsked?: true;
  /**
   * What is wrong with a value, worded as the end of a sentence that starts with the setting's name; undefined if
   * the value is valid.
   */
  readonly refuse?: (value: string) => string | undefined;
  /** Like `refuse`, for rules that apply to a deployed site only. */
  readonly refuseDeployed?: (value: string) => string | undefined;
}

const mustMatch =
  (pattern: RegExp, problem: string): NonNullable<Setting['refuse']> =>
  (value) =>
    pattern.test(value) ? undefined : problem;

function refuseTimeZone(value: string): string | undefined {
  // `Intl.DateTimeFormat` accepts every name, but takes ten times as long to create, and a new isolate would wait
  // for it.
  if (value === 'UTC' || Intl.supportedValuesOf('timeZone').includes(value)) return undefined;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    return undefined;
  } catch {
    return 'must be the name of a time zone, such as America/Chicago.';
  }
}

function refuseSiteUrl(value: string): string | undefined {
  if (!value.startsWith('https://')) return 'must begin with https://.';
  if (!URL.canParse(value) || new URL(value).origin !== value)
    return 'must be an address without a path or a slash at the end.';
  return undefined;
}

/** Whether a host is one that Cloudflare assigns to a Worker without its own domain. */
export const isOnWorkersDev = (hostname: string): boolean => hostname.endsWith('.workers.dev');

/**
 * Whether a site is a trial: it does not have its own domain. Cloudflare sends no email without one
 * (https://developers.cloudflare.com/email-service/configuration/domains/).
 */
export const isTrial = (given: {
  readonly SITE_URL?: string | undefined;
  readonly MAIL_TRANSPORT?: string | undefined;
}): boolean =>
  URL.canParse(given.SITE_URL ?? '') &&
  isOnWorkersDev(new URL(given.SITE_URL ?? '').hostname) &&
  given.MAIL_TRANSPORT !== 'resend';

/** What the deployment prints about a trial. */
export const trialText =
  'this is a trial: the site has no domain of its own, and Cloudflare sends no email without one. Customers get no confirmations, and you get no alerts. Set SITE_URL to your own domain (docs/deploy.md) and deploy again, or send through Resend from a domain elsewhere (MAIL_TRANSPORT=resend).';

/** The keys in one setting, separated by commas. */
export const keysIn = (value: string): string[] => value.split(',').map((key) => key.trim());

const senderPattern =
  /^(?:(?<name>[\p{L}\p{N}][\p{L}\p{N} .&'-]*) <(?<boxed>[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+)>|(?<email>[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+))$/u;

/** Parses a sender, `address` or `Name <address>`. @returns undefined if it is neither */
export function senderIn(value: string): { readonly email: string; readonly name?: string } | undefined {
  const { name, boxed, email } = senderPattern.exec(value)?.groups ?? {};
  if (email !== undefined) return { email };
  return boxed === undefined || name === undefined ? undefined : { email: boxed, name: name.trim() };
}

const refuseEmail = mustMatch(/^[^\s@<>]+@[^\s@<>]+\.[^\s@<>]+$/, 'must be one email address.');

const standIn = (about: string): Setting & { readonly need: 'optional'; readonly kind: 'stand-in' } => ({
  need: 'optional',
  kind: 'stand-in',
  about,
  find: 'Only the local setup and tests use it.',
});

export const settings = {
  SITE_URL: {
    need: 'required',
    kind: 'variable',
    about: 'The public address of the site. Links in emails begin with it.',
    find: 'Your domain on Cloudflare, such as `https://www.your-domain.com`. Without a domain, use `https://loan-agency-storefront.your-subdomain.workers.dev` (Cloudflare dashboard, Workers & Pages, "Your subdomain") for a trial, which sends no email.',
    refuseDeployed: refuseSiteUrl,
  },
  TURSO_DATABASE_URL: {
    need: 'required',
    kind: 'variable',
    about: 'The address of the database.',
    find: '`turso db show storefront --url`; it begins with `libsql://`.',
    refuseDeployed: mustMatch(/^(libsql|https):\/\//, 'must begin with libsql:// or https://.'),
  },
  TURSO_AUTH_TOKEN: {
    need: 'optional',
    kind: 'secret',
    isAsked: true,
    about: 'Gives the site access to the database. Databases at Turso require it.',
    find: '`turso db tokens create storefront`.',
  },
  DATABASE_REGION: {
    need: 'optional',
    kind: 'deployment',
    about:
      'Runs the site next to the database. Forms get faster for people far from the database, and pages get slower.',
    find: 'Omit it to run near each visitor. The address of the database contains the region. Write it as `aws:us-east-1`.',
    refuse: mustMatch(
      /^(aws|gcp|azure):[a-z0-9-]+$/,
      'must be a cloud and its region, such as aws:us-east-1.',
    ),
  },
  CLOUDFLARE_ACCOUNT_ID: {
    need: 'optional',
    kind: 'deployment',
    about: 'The Cloudflare account of the site, if you have access to several.',
    find: 'Cloudflare dashboard, Account home, the menu beside the name of the account, "Copy account ID"; or `npx wrangler whoami`.',
    refuse: mustMatch(/^[0-9a-f]{32}$/, 'must be 32 digits and letters from a to f.'),
  },
  PREVIEWS: {
    need: 'optional',
    kind: 'deployment',
    about:
      'Set it to `on` to give each branch an address of its own below the site\'s (docs/deploy.md, "Previews").',
    find: 'Omit it for no previews.',
    refuse: mustMatch(/^on$/, 'must be on, or omitted.'),
  },
  STEPS_NOT_OFFERED: {
    need: 'optional',
    kind: 'deployment',
    about: 'The steps that are done or that you declined: `domain`, `turnstile`.',
    find: 'Generated by `npm run deploy`. Delete each such line to be asked again.',
    refuse: mustMatch(
      /^(domain|turnstile)(,(domain|turnstile))*$/,
      'must be domain, turnstile, or both with a comma between.',
    ),
  },
  STRIPE_SECRET_KEY: {
    need: 'required',
    kind: 'secret',
    about: 'Lets the site create and check payments.',
    find: 'Stripe dashboard, Developers, API keys, Secret key; it begins with `sk_live_`, or `sk_test_` to try it out. Or a restricted key (`rk_`): docs/deploy.md, "Payment", lists its permissions.',
    refuse: mustMatch(
      /^(sk|rk)_(test|live)_/,
      'must begin with sk_live_ or sk_test_, or be a restricted key that begins with rk_live_ or rk_test_.',
    ),
  },
  STRIPE_PUBLISHABLE_KEY: {
    need: 'optional',
    kind: 'deployment',
    isAsked: true,
    about:
      'The payment page uses it. A deployment stores it in a site that has none. After that, change it on the site (Payment key, in the admin panel menu).',
    find: 'Beside the secret key; it begins with `pk_live_` or `pk_test_`.',
    refuse: mustMatch(/^pk_(test|live)_[A-Za-z0-9_]{1,240}$/, 'must begin with pk_live_ or pk_test_.'),
  },
  STRIPE_WEBHOOK_SECRET: {
    need: 'required',
    made: 'stripe',
    kind: 'secret',
    about: 'Verifies that an event comes from Stripe. While you rotate it, set both, separated by a comma.',
    find: 'Generated by `npm run deploy`, together with the webhook endpoint.',
    refuse: mustMatch(/^whsec_[^\s,]+(\s*,\s*whsec_[^\s,]+)*$/, 'must begin with whsec_.'),
  },
  MAIL_FROM: {
    need: 'required',
    kind: 'variable',
    about:
      'The sender of emails, with or without a name: `Your Firm <hello@mail.your-domain.com>`. A new site gets this name. After that, change it on the site (Site content, Brand).',
    find: 'An address on a subdomain that only the site uses. `npm run deploy` sets the subdomain up for sending and does not affect your own email (docs/deploy.md, "Email").',
    refuse: (value) =>
      senderIn(value)
        ? undefined
        : "must be one email address, or a name of letters, digits, spaces and . & ' - before one in angle brackets.",
  },
  MAIL_TRANSPORT: {
    need: 'optional',
    kind: 'variable',
    about: 'The service that delivers email: `cloudflare` (the default) or `resend`.',
    find: 'See "Email" in docs/deploy.md.',
    refuse: mustMatch(/^(cloudflare|resend)$/, 'must be cloudflare or resend.'),
  },
  RESEND_API_KEY: {
    need: 'optional',
    kind: 'secret',
    about: 'Lets the site send email through Resend.',
    find: 'Resend dashboard, API Keys, permission Sending access; it begins with `re_`.',
    refuse: mustMatch(/^re_/, 'must begin with re_.'),
  },
  NOTIFY_EMAIL: {
    need: 'required',
    kind: 'variable',
    about:
      "Receives emails about new messages, paid orders, cancelled subscriptions, customers' answers and decisions and, once an hour, unpaid orders.",
    find: 'A mailbox that a person reads.',
    refuse: refuseEmail,
  },
  REPLY_ADDRESS: {
    need: 'optional',
    kind: 'variable',
    about:
      'Puts replies by email into their conversation on the site. Without it, they go to NOTIFY_EMAIL or to the sender of our emails.',
    find: 'An address such as `reply@mail.your-domain.com` that Cloudflare Email Routing sends to the Worker (docs/deploy.md, "Replies by email").',
    refuse: mustMatch(
      /^[a-z0-9._-]{1,8}@[^\s@<>]+\.[^\s@<>]+$/,
      'must be one email address with at most 8 lowercase letters before the @.',
    ),
  },
  ALERT_EMAIL: {
    need: 'optional',
    kind: 'variable',
    about:
      'Receives alerts about new entries under Needs attention, failed backups and a stopped cron trigger. The default is NOTIFY_EMAIL.',
    find: 'A mailbox that a person reads.',
    refuse: refuseEmail,
  },
  SETUP_TOKEN: {
    need: 'optional',
    made: 'random',
    kind: 'secret',
    about: 'Creates the first administrator at `/add-user`. It works once.',
    find: 'Generated by `npm run deploy`; or any long random text.',
  },
  SEALING_KEYS: {
    need: 'required',
    made: 'random',
    kind: 'secret',
    about:
      'Encrypts waiting emails in the database, and signs devices, confirmation links and reply addresses. The first key encrypts and signs; all are accepted. To rotate, put a new key in front and remove the old one eight days later.',
    find: 'Generated by `npm run deploy`; or 32 random bytes in base64 (`openssl rand -base64 32`). Separate several keys by commas.',
    refuse: (value) =>
      keysIn(value).some((key) => key.length < 32)
        ? 'must be keys of at least 32 characters, separated by commas.'
        : undefined,
  },
  TOKEN_SIGNING_KEY: {
    need: 'optional',
    made: 'random',
    kind: 'secret',
    about: 'Signs the short-lived tokens of the token sync.',
    find: 'Generated by `npm run deploy`; or 32 random bytes in base64.',
  },
  SITE_TIMEZONE: {
    need: 'required',
    kind: 'variable',
    about:
      'The time zone of your business, for order dates, and for times on screens, in emails and in files.',
    find: 'A name such as `America/Chicago`.',
    refuse: refuseTimeZone,
  },
  SITE_COUNTRY: {
    need: 'optional',
    kind: 'variable',
    about: 'The country of most of your customers. Order forms start with it selected.',
    find: 'Its two letters (ISO 3166-1), such as `US`. Omit it to let customers choose.',
    refuse: mustMatch(/^[A-Z]{2}$/, 'must be the two letters of a country, such as US.'),
  },
  PLAN_DAYS: {
    need: 'optional',
    kind: 'variable',
    about:
      'The days that count until a step of an order is due: `calendar` (the default) or `working` (Monday to Friday).',
    find: 'Omit it for calendar days.',
    refuse: mustMatch(/^(calendar|working)$/, 'must be calendar or working.'),
  },
  PLAN_HOLIDAYS: {
    need: 'optional',
    kind: 'variable',
    about:
      'Holidays, which do not count as working days (`PLAN_DAYS`): at most 60, as `12-25` for every year or `2027-11-25`, separated by commas.',
    find: 'The days on which your office is closed, such as `01-01, 07-04, 12-25, 2027-11-25`.',
    refuse: mustMatch(
      /^\s*(\d{4}-)?\d\d-\d\d\s*(,\s*(\d{4}-)?\d\d-\d\d\s*){0,59}$/,
      'must be days such as 12-25 or 2027-11-25, separated by commas.',
    ),
  },
  TURNSTILE_SITE_KEY: {
    need: 'optional',
    kind: 'variable',
    about: 'Keeps bots off the contact form, together with TURNSTILE_SECRET_KEY.',
    find: 'Cloudflare dashboard, Turnstile, Add widget, your domain as its hostname, mode Managed.',
  },
  TURNSTILE_SECRET_KEY: {
    need: 'optional',
    kind: 'secret',
    about: 'The other half of TURNSTILE_SITE_KEY.',
    find: 'The same place.',
  },
  GOOGLE_CLIENT_ID: {
    need: 'optional',
    kind: 'variable',
    about: 'Offers sign-in with Google, together with GOOGLE_CLIENT_SECRET.',
    find: 'Google Cloud console, APIs & Services, Credentials, OAuth client ID (web application), redirect URI `https://www.your-domain.com/api/auth/google/callback`. See "Sign-in with Google" in docs/deploy.md.',
  },
  GOOGLE_CLIENT_SECRET: {
    need: 'optional',
    kind: 'secret',
    about: 'The other half of GOOGLE_CLIENT_ID.',
    find: 'The same place.',
  },
  ADMIN_PASSKEY: {
    need: 'optional',
    kind: 'variable',
    about: 'Set it to `required` to open the admin panel only to people who sign in with a passkey.',
    find: 'Omit it to make passkeys optional.',
    refuse: mustMatch(/^required$/, 'must be required, or omitted.'),
  },
  PRICE_CHANGES: {
    need: 'optional',
    kind: 'variable',
    about: 'Set it to `administrators` if Editors must not change the prices of packages.',
    find: 'Omit it to let Editors change prices.',
    refuse: mustMatch(/^administrators$/, 'must be administrators, or omitted.'),
  },
  SUPPORT_TOTALS: {
    need: 'optional',
    kind: 'variable',
    about: 'Set it to `hidden` if Support must not see sales, revenue and other sums of all orders.',
    find: 'Omit it to show them to Support.',
    refuse: mustMatch(/^hidden$/, 'must be hidden, or omitted.'),
  },
  TOKEN_SYNC_URL: {
    need: 'optional',
    kind: 'variable',
    about: 'A service of yours that the site calls at each sign-in and sign-out.',
    find: 'The address of that service.',
    refuseDeployed: mustMatch(/^https:\/\//, 'must begin with https://.'),
  },
  REGISTER_LOGO_URL: {
    need: 'optional',
    kind: 'variable',
    about: "A logo for the register screen, instead of the site's own.",
    find: 'The address of a picture.',
    refuse: mustMatch(/^(https:\/\/|\/)/, 'must begin with https://, or with / for a picture of this site.'),
  },
  RESEND_API_URL: standIn("An API instead of Resend's."),
  STRIPE_API_URL: standIn("An API instead of Stripe's."),
  STRIPE_SCRIPT_URL: standIn("A script instead of Stripe's."),
  GOOGLE_ISSUER_URL: standIn("An OpenID issuer instead of Google's."),
  TURNSTILE_VERIFY_URL: standIn("A siteverify endpoint instead of Cloudflare's."),
} as const satisfies Record<string, Setting>;

export type SettingName = keyof typeof settings;

/** The settings that change a rate limit or a retention period. Each value is a whole number. */
export const limitNames = [
  'LIMIT_AUDIT_DAYS',
  'LIMIT_BILLING_ORDER',
  'LIMIT_BUILD_DAYS',
  'LIMIT_CONFIRMED_MINUTES',
  'LIMIT_CONVERSATION_DAYS',
  'LIMIT_CONVERSATION_FILES',
  'LIMIT_CONVERSATION_MESSAGES',
  'LIMIT_COUPON_CODES',
  'LIMIT_DECLINES',
  'LIMIT_INBOX_ADDRESS',
  'LIMIT_INTENTS_ADDRESS',
  'LIMIT_INTENTS_ORDER',
  'LIMIT_INVITATION_MAIL',
  'LIMIT_MAIL_ACCOUNT',
  'LIMIT_MAIL_ADDRESS',
  'LIMIT_MAIL_KNOWN',
  'LIMIT_MAIL_KNOWN_ACCOUNT',
  'LIMIT_MESSAGE_DAYS',
  'LIMIT_ORDERS_ACCOUNT',
  'LIMIT_RESET_ADDRESS',
  'LIMIT_SET_UP_ADDRESS',
  'LIMIT_SIGN_IN_ACCOUNT',
  'LIMIT_SIGN_IN_ADDRESS',
  'LIMIT_SIGN_IN_KNOWN',
  'LIMIT_SIGN_IN_KNOWN_ACCOUNT',
  'LIMIT_SIGN_UP_ADDRESS',
  'LIMIT_SUBSCRIBE_MAIL',
  'LIMIT_UNCONFIRMED_ACCOUNT_DAYS',
  'LIMIT_UNCONFIRMED_SUBSCRIBER_DAYS',
  'LIMIT_UNPAID_ORDERS',
  'LIMIT_UNSENT_MAIL_DAYS',
  'LIMIT_UNVERIFIED_MAIL',
] as const;

export type LimitName = (typeof limitNames)[number];

export const settingNames = Object.keys(settings) as SettingName[];

/** One setting, for code that treats all settings alike. */
export const settingNamed = (name: SettingName): Setting => settings[name];

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(settings, name);

export const isLimitName = (name: string): name is LimitName =>
  (limitNames as readonly string[]).includes(name);

/** Whether `npm run deploy` creates the value. The Worker may be the only one that has it. */
export const isMadeByDeploy = (name: string): boolean =>
  isSettingName(name) && settingNamed(name).made !== undefined;

type NamesThatNeed<N extends Setting['need']> = {
  [Name in SettingName]: (typeof settings)[Name]['need'] extends N ? Name : never;
}[SettingName];

/** The settings of the Worker, by name. */
export type SettingValues = { readonly [N in NamesThatNeed<'required'>]: string } & {
  readonly [N in NamesThatNeed<'optional'>]?: string | undefined;
} & { readonly [N in LimitName]?: string | undefined };

/** Settings that are set together or not at all: the public one first, its secret second. */
const pairs: readonly (readonly [SettingName, SettingName])[] = [
  ['TURNSTILE_SITE_KEY', 'TURNSTILE_SECRET_KEY'],
  ['GOOGLE_CLIENT_ID', 'GOOGLE_CLIENT_SECRET'],
];

const namesThisMachine = (value: string) => /\/\/(localhost|127\.|\[::1\])/.test(value);

/** What is wrong with one value, as a sentence; undefined if the value is valid. */
export function refusal(name: SettingName, value: string, { isLocal = false } = {}): string | undefined {
  const { refuse, refuseDeployed } = settingNamed(name);
  if (!isLocal && namesThisMachine(value))
    return `${name} names this machine, which only the local setup may do.`;
  const problem = refuse?.(value) ?? (isLocal ? undefined : refuseDeployed?.(value));
  return problem && `${name} ${problem}`;
}

interface ProblemOptions {
  /** Whether it is the local setup, which may use stand-ins. */
  readonly isLocal?: boolean;
  /** Whether `npm run deploy` has not created its values yet. */
  readonly isBeforeDeploy?: boolean;
}

/**
 * Checks settings.
 * @param values the settings by name; other names are ignored
 * @returns a sentence for each problem; empty if a Worker may start with these settings
 */
export function settingProblems(
  values: object,
  { isLocal = false, isBeforeDeploy = false }: ProblemOptions = {},
): string[] {
  const entries: [string, unknown][] = Object.entries(values);
  const given = new Map(
    entries.flatMap(([name, value]) =>
      typeof value === 'string' && value !== '' ? [[name, value] as const] : [],
    ),
  );
  const isThere = (name: SettingName) => given.has(name) || (isBeforeDeploy && isMadeByDeploy(name));
  const missing = settingNames
    .filter((name) => settings[name].need === 'required' && !isThere(name))
    .map((name) => `${name} is not set.`);
  const refused = settingNames.flatMap((name) => {
    const value = given.get(name);
    return value === undefined ? [] : (refusal(name, value, { isLocal }) ?? []);
  });
  const limits = [...given]
    .filter(([name, value]) => isLimitName(name) && !/^\d+$/.test(value))
    .map(([name]) => `${name} must be a whole number.`);
  const zeroDays = [...given]
    .filter(([name, value]) => isLimitName(name) && name.endsWith('_DAYS') && Number(value) === 0)
    .map(([name]) => `${name} must be at least 1: with 0, all of it would be deleted immediately.`);
  const tooShort =
    Number(given.get('LIMIT_AUDIT_DAYS') ?? 365) < 365
      ? ['LIMIT_AUDIT_DAYS must be at least 365: the database keeps the audit log for a year.']
      : [];
  // After both settings are removed, the secret stays in the Worker for a while. The secret alone turns nothing on.
  const incompletePairs = pairs
    .filter(
      ([shown, secret]) => given.has(shown) !== given.has(secret) && (isBeforeDeploy || given.has(shown)),
    )
    .map(([one, other]) => `${one} and ${other} must be set together, or not at all.`);
  const unsigned =
    given.has('TOKEN_SYNC_URL') && !isThere('TOKEN_SIGNING_KEY')
      ? ['TOKEN_SYNC_URL is set without TOKEN_SIGNING_KEY, which signs what is sent there.']
      : [];
  const [secretKey, publishableKey] = [given.get('STRIPE_SECRET_KEY'), given.get('STRIPE_PUBLISHABLE_KEY')];
  const mixedModes =
    secretKey && publishableKey && secretKey.includes('_live_') !== publishableKey.includes('_live_')
      ? [
          'STRIPE_SECRET_KEY and STRIPE_PUBLISHABLE_KEY are of different modes: both are live, or both are test.',
        ]
      : [];
  const missingMailKey =
    given.get('MAIL_TRANSPORT') === 'resend' && !given.has('RESEND_API_KEY')
      ? ['MAIL_TRANSPORT is resend, which needs RESEND_API_KEY.']
      : [];
  return [
    ...missing,
    ...refused,
    ...limits,
    ...zeroDays,
    ...tooShort,
    ...incompletePairs,
    ...unsigned,
    ...mixedModes,
    ...missingMailKey,
  ];
}
