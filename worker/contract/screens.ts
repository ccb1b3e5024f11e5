/**
 * The named pages of the site: who may see each page, how it is served, and how to link to it. The pages that derive
 * from the registry are in `all-screens.ts`, which visitors' scripts do not need.
 */
import type { Audience } from './audience.ts';
import { fillPath, pathSource, withoutSlash, type HasId } from './route-pattern.ts';
import type { SectionName } from './sections/index.ts';

export interface Screen {
  readonly pattern: string;
  readonly who: Audience;
  /**
   * - `content`: rendered from the content, stored, and the same for everyone.
   * - `frame`: rendered and stored like a content page, and completed for each request.
   * - Otherwise, the name of the shell.
   */
  readonly kind: 'content' | 'frame' | ShellName;
  /** The screen has the card form, so it may load Stripe's script and frames. */
  readonly takesCards?: boolean;
  /** For content pages with several addresses: the address for search engines. */
  readonly canonical?: string;
  /** For screens of the registry: the sections that the screen edits. */
  readonly sections?: readonly SectionName[];
}

/** Pre-rendered files that the Worker serves after the guard. Each has its own script bundle. */
export const shellNames = ['checkout', 'pay', 'customer', 'admin', 'preview'] as const;
export type ShellName = (typeof shellNames)[number];

export const screens = {
  // The content pages: rendered at deploy and again at every save that changes them.
  home: { pattern: '/', who: 'anyone', kind: 'content' },
  pricing: { pattern: '/pricing/', who: 'anyone', kind: 'content' },
  service: { pattern: '/service/', who: 'anyone', kind: 'content' },
  contact: { pattern: '/contact', who: 'anyone', kind: 'content' },
  contactUs: { pattern: '/contact-us', who: 'anyone', kind: 'content', canonical: '/contact' },
  articles: { pattern: '/articles/', who: 'anyone', kind: 'content' },
  privacy: { pattern: '/privacy', who: 'anyone', kind: 'content' },
  terms: { pattern: '/terms', who: 'anyone', kind: 'content' },
  refunds: { pattern: '/refunds', who: 'anyone', kind: 'content' },

  thanks: { pattern: '/thanks', who: 'anyone', kind: 'frame' },
  login: { pattern: '/login', who: 'anyone', kind: 'frame' },
  register: { pattern: '/register', who: 'anyone', kind: 'frame' },
  reset: { pattern: '/reset', who: 'anyone', kind: 'frame' },
  verifyEmail: { pattern: '/verify-email', who: 'anyone', kind: 'frame' },
  resetPassword: { pattern: '/reset-password', who: 'anyone', kind: 'frame' },
  recovery: { pattern: '/recovery', who: 'anyone', kind: 'frame' },
  invitation: { pattern: '/invitation', who: 'anyone', kind: 'frame' },
  confirmSubscription: { pattern: '/confirm-subscription', who: 'anyone', kind: 'frame' },
  unsubscribe: { pattern: '/unsubscribe', who: 'anyone', kind: 'frame' },

  // A visitor without an account orders and signs up in one step (docs/decisions/strangers-order.md).
  orderForm: { pattern: '/order-now/:id', who: 'anyone', kind: 'checkout' },
  pay: { pattern: '/pay-now/:id', who: 'anyone', kind: 'pay', takesCards: true },
  cancelOrder: { pattern: '/order-cancelled/:id', who: 'account', kind: 'checkout' },

  dashboard: { pattern: '/dashboard', who: 'account', kind: 'customer' },
  myOrders: { pattern: '/my-order', who: 'account', kind: 'customer' },
  pendingOrders: { pattern: '/pending-order', who: 'account', kind: 'customer', takesCards: true },
  myOrder: { pattern: '/order/:id', who: 'account', kind: 'customer' },
  orderBrief: { pattern: '/order-brief/:id', who: 'account', kind: 'customer' },
  receipt: { pattern: '/order/:id/receipt', who: 'account', kind: 'customer' },
  subscription: { pattern: '/subscription/:id', who: 'account', kind: 'customer' },
  creditNote: { pattern: '/credit-note/:id', who: 'account', kind: 'customer' },
  account: { pattern: '/account', who: 'account', kind: 'customer' },

  admin: { pattern: '/admin', who: 'staff', kind: 'admin' },
  settings: { pattern: '/setting', who: 'content', kind: 'admin' },
  orders: { pattern: '/total-orders', who: 'orders', kind: 'admin' },
  newOrder: { pattern: '/new-order', who: 'orders', kind: 'admin' },
  order: { pattern: '/admin/payment-status/:id', who: 'orders', kind: 'admin' },
  messages: { pattern: '/all-messages/', who: 'messages', kind: 'admin' },
  message: { pattern: '/view/:id', who: 'messages', kind: 'admin' },
  customers: { pattern: '/customers', who: 'customers', kind: 'admin' },
  customer: { pattern: '/customer/:id', who: 'customers', kind: 'admin' },
  subscribers: { pattern: '/all-subscriber/', who: 'customers', kind: 'admin' },
  publications: { pattern: '/publications', who: 'content', kind: 'admin' },
  releases: { pattern: '/releases', who: 'content', kind: 'admin' },
  release: { pattern: '/release/:id', who: 'content', kind: 'admin' },
  subscriptions: { pattern: '/subscriptions', who: 'orders', kind: 'admin' },
  customerSubscription: { pattern: '/admin/subscription/:id', who: 'orders', kind: 'admin' },
  ledger: { pattern: '/ledger', who: 'administrator', kind: 'admin' },
  coupons: { pattern: '/coupons', who: 'administrator', kind: 'admin' },
  auditLog: { pattern: '/audit-log', who: 'administrator', kind: 'admin' },
  needsAttention: { pattern: '/needs-attention', who: 'staff', kind: 'admin' },
  // These two screens are for the first run, so everyone can open them. After the first run, a visitor sees only a link
  // to the login page.
  members: { pattern: '/add-user', who: 'anyone', kind: 'admin' },
  addPaymentKey: { pattern: '/add-paypal-Email', who: 'anyone', kind: 'admin' },
  member: { pattern: '/admin-user/:id', who: 'administrator', kind: 'admin' },
  paymentKey: { pattern: '/stripe-key/:id', who: 'administrator', kind: 'admin' },
  preview: { pattern: '/preview', who: 'content', kind: 'preview' },
} as const satisfies Readonly<Record<string, Screen>>;

type Screens = typeof screens;
export type ScreenName = keyof Screens;

/** The names of the screens of a shell, or of the pages of a kind. */
export type ScreensOf<K extends Screen['kind']> = {
  [N in ScreenName]: Screens[N]['kind'] extends K ? N : never;
}[ScreenName];

export type ShowsRecord<N extends ScreenName> = HasId<Screens[N]['pattern']>;

export type NamedScreen<N extends ScreenName = ScreenName> = {
  [K in N]: Screen & Pick<Screens[K], 'kind'> & { readonly name: K };
}[N];

export const namedScreens = Object.entries<Screen>(screens).map(([name, screen]) => ({
  ...screen,
  name,
})) as readonly NamedScreen[];

const isOfKind =
  <K extends Screen['kind']>(kind: K) =>
  (screen: NamedScreen): screen is NamedScreen<ScreensOf<K>> =>
    screen.kind === kind;

export const screensOf = <K extends Screen['kind']>(kind: K): readonly NamedScreen<ScreensOf<K>>[] =>
  namedScreens.filter(isOfKind(kind));

export const contentPages = screensOf('content').map(({ canonical, ...page }) => ({
  ...page,
  canonical: canonical ?? page.pattern,
}));

export const feedPath = '/articles/feed.xml';

/** Files for programs. They are rendered and served like content pages. */
export const contentFiles: readonly string[] = ['/sitemap.xml', feedPath];

/** The redirects that the Worker looks up. Browsers never get this frame. */
export const redirectsFrame = '/shell/redirects.json';

/**
 * The pages that show content but are completed for each request. They are rendered and stored in the batch of a save,
 * like content pages, so they never show an old logo or footer. They are never served from a cache.
 */
export const framePaths: readonly string[] = [
  ...screensOf('frame').map(({ pattern }) => pattern),
  '/404',
  // A rejected plain form, the page for accounts that may not see a screen, and the brand in the shells.
  ...['message', 'subscribe', 'denied', 'brand'].map((name) => `/shell/${name}`),
  redirectsFrame,
];

/** The address of a screen. @param id the id of its record, if the screen shows one */
export const linkTo = <N extends ScreenName>(
  name: N,
  ...[id]: ShowsRecord<N> extends false ? [] : [id: string]
): string => (id === undefined ? screens[name].pattern : fillPath(screens[name].pattern, id));

/**
 * Whether a path is below the overview. There, staff see the admin panel's frame even at an unknown address.
 */
export const isBelowAdmin = (path: string): boolean => path.startsWith(`${screens.admin.pattern}/`);

/** A screen, and the id in its address; the id is empty if the pattern has none. */
interface Found<S> {
  readonly screen: S;
  readonly id: string;
}

/** Creates a function that finds the screen at a path. A trailing slash makes no difference. */
export function screenFinder<S extends Screen>(among: readonly S[]): (path: string) => Found<S> | undefined {
  const matchers = among.map((screen) => ({
    screen,
    regexp: new RegExp(`^${pathSource(withoutSlash(screen.pattern))}/?$`),
  }));
  return (path) => {
    for (const { screen, regexp } of matchers) {
      const match = regexp.exec(path);
      if (match) return { screen, id: match.groups?.['id'] ?? '' };
    }
    return undefined;
  };
}
