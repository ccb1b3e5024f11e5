/**
 * Every page route of the site, who may see it and which file answers it. The Worker guards and serves by this table,
 * the islands find their screen and their links in it; a page that is not in it does not exist.
 */
import type { Audience } from './audience.ts';
import { idPattern } from './ids.ts';
import { sectionNames, sectionNamed, type SectionName } from './sections/index.ts';

export interface Screen {
  readonly pattern: string;
  readonly who: Audience;
  /**
   * `content`: rendered from the content, stored, the same for everyone. `frame`: rendered and stored likewise, answered
   * to each request anew. Otherwise the shell's name.
   */
  readonly kind: 'content' | 'frame' | ShellName;
  /** Which screen the shell shows; unique within its shell. */
  readonly name: string;
  /** For content pages: the page whose address is canonical. */
  readonly canonical?: string;
  /** For screens of the registry: the sections that the screen edits. */
  readonly sections?: readonly SectionName[];
}

/** Pre-rendered frames that the Worker hands out after its guard; one script bundle each. */
export const shellNames = ['checkout', 'pay', 'customer', 'admin', 'preview'] as const;
export type ShellName = (typeof shellNames)[number];

const content = (pattern: string, canonical = pattern): Screen => ({
  pattern,
  who: 'anyone',
  kind: 'content',
  name: pattern,
  canonical,
});
const frame = (pattern: string): Screen => ({ pattern, who: 'anyone', kind: 'frame', name: pattern });
const screen = (pattern: string, who: Audience, kind: ShellName, name: string): Screen => ({
  pattern,
  who,
  kind,
  name,
});

/** The content pages: rendered at deploy and again at every save that changes them. */
export const contentPages: readonly Screen[] = [
  content('/'),
  content('/pricing/'),
  content('/service/'),
  content('/contact'),
  content('/contact-us', '/contact'),
];

const fixedScreens: readonly Screen[] = [
  ...contentPages,
  frame('/thanks'),
  frame('/login'),
  frame('/register'),
  frame('/reset'),
  frame('/verify-email'),
  frame('/reset-password'),

  screen('/order-now/:id', 'account', 'checkout', 'order'),
  screen('/pay-now/:id', 'anyone', 'pay', 'pay'),
  screen('/order-cancelled/:id', 'account', 'checkout', 'cancel'),
  screen('/dashboard', 'account', 'customer', 'dashboard'),
  screen('/my-order', 'account', 'customer', 'orders'),
  screen('/pending-order', 'account', 'customer', 'pending-orders'),
  screen('/order/:id', 'account', 'customer', 'order'),
  screen('/account', 'account', 'customer', 'account'),

  screen('/admin', 'administrator', 'admin', 'overview'),
  screen('/setting', 'administrator', 'admin', 'settings'),
  screen('/total-orders', 'administrator', 'admin', 'orders'),
  screen('/admin/payment-status/:id', 'administrator', 'admin', 'order'),
  screen('/all-messages/', 'administrator', 'admin', 'messages'),
  screen('/view/:id', 'administrator', 'admin', 'message'),
  screen('/all-subscriber/', 'administrator', 'admin', 'subscribers'),
  screen('/publications', 'administrator', 'admin', 'publications'),
  screen('/needs-attention', 'administrator', 'admin', 'attention'),
  screen('/preview', 'administrator', 'preview', 'preview'),
];

/**
 * Every page that shows content and yet belongs to one request: each is rendered and stored in the batch of a save as the
 * content pages are, so that no logo and no footer outlives its record, but never answered from a cache.
 */
export const framePaths: readonly string[] = [
  ...fixedScreens.filter(({ kind }) => kind === 'frame').map(({ pattern }) => pattern),
  '/404',
  // A plain form that comes back, the word to whoever may not see a page, and the logo of the shells.
  ...['message', 'subscribe', 'denied', 'logo'].map((name) => `/shell/${name}`),
];

/** These two serve the first run, so they open for everyone (they show a visitor only the way to sign in). */
const openHomes = new Set(['/add-user', '/add-paypal-Email']);

function sectionScreens(): Screen[] {
  const homes = new Map<string, SectionName[]>();
  const edits: Screen[] = [];
  for (const name of sectionNames) {
    const { home, homeAliases = [], edit, editAliases = [] } = sectionNamed(name).screen;
    for (const pattern of [home, ...homeAliases]) homes.set(pattern, [...(homes.get(pattern) ?? []), name]);
    for (const pattern of edit === undefined ? [] : [edit, ...editAliases])
      edits.push({ ...screen(pattern, 'administrator', 'admin', 'edit-record'), sections: [name] });
  }
  const homeScreens = Array.from(homes, ([pattern, names]) => ({
    ...screen(pattern, openHomes.has(pattern) ? 'anyone' : 'administrator', 'admin', 'sections'),
    sections: names,
  }));
  return [...homeScreens, ...edits];
}

/** Every page of the site. */
export const screens: readonly Screen[] = [...fixedScreens, ...sectionScreens()];

const withoutSlash = (path: string) => (path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path);

const matchers = screens.map((entry) => ({
  entry,
  regexp: new RegExp(`^${withoutSlash(entry.pattern).replace(':id', `(?<id>${idPattern})`)}/?$`),
}));

/** The screen at a path, with the id in it; a trailing slash makes no difference. Undefined: there is no such page. */
export function findScreen(path: string): { screen: Screen; id: string | undefined } | undefined {
  for (const { entry, regexp } of matchers) {
    const match = regexp.exec(path);
    if (match) return { screen: entry, id: match.groups?.['id'] };
  }
  return undefined;
}

/** The address of a screen's pattern for one record. */
export const pathFor = (pattern: string, id: string): string => pattern.replace(':id', id);
