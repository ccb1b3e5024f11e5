/**
 * Decides who may see a page or make a call. One table says what each role may do. The guards of calls and pages, the
 * screens, the navigation and the description of the API all use this table.
 */

/** The names of the roles. A `User` may do no more than a customer. */
export const userRoles = ['Admin', 'Editor', 'Support', 'User'] as const;
export type Role = (typeof userRoles)[number];
export const roleMissing = 'Choose a role.';

/**
 * - `staff`: the first admin screen, and what all staff share.
 * - `content`: sections, pictures, releases and publications.
 * - `orders`: orders with their files, and payments that need attention.
 * - `messages`: messages from the contact form.
 * - `customers`: customers and subscribers.
 * - `administrator`: money, users, settings, and everything else that only an Admin may do.
 */
export type Ability = 'staff' | 'content' | 'orders' | 'messages' | 'customers' | 'administrator';

/** What each role is for, in one sentence for the administrator who chooses it. */
export const roleTexts: Readonly<Record<Role, string>> = {
  Admin: 'Can do everything: orders and money, content, users and settings.',
  Editor: 'Changes the content of the site and publishes it. Cannot see orders or customers.',
  Support: 'Works on orders and answers customers and messages. Cannot change content or make refunds.',
  User: 'Cannot open the admin panel.',
};

/** `account`: anyone who is signed in. An ability: anyone whose role includes it. */
export type Audience = 'anyone' | 'account' | Ability;

const abilities: Readonly<Record<Role, readonly Ability[]>> = {
  Admin: ['staff', 'content', 'orders', 'messages', 'customers', 'administrator'],
  Editor: ['staff', 'content'],
  Support: ['staff', 'orders', 'messages', 'customers'],
  User: [],
};

/**
 * What a setting can take away from a role: changing prices (PRICE_CHANGES), or seeing the totals of all orders
 * (SUPPORT_TOTALS).
 */
export type Restriction = 'prices' | 'totals';

/** What an account with a role must do before it may use its abilities. */
export const requirements = ['longPassword', 'passkey', 'passkeySignIn'] as const;
export type Requirement = (typeof requirements)[number];

/** The part of an account that determines access; undefined for an anonymous caller. */
type Caller = { readonly role: Role; readonly lacks: Requirement | null } | undefined;

/** Whether a role includes an ability, regardless of what the account must do first. */
export const hasAbility = (role: Role, ability: Audience): boolean =>
  abilities[role].some((one) => one === ability);

export function may(caller: Caller, audience: Audience): boolean {
  if (audience === 'anyone') return true;
  if (!caller) return false;
  return audience === 'account' || (caller.lacks === null && hasAbility(caller.role, audience));
}

/** What to tell an account that must meet a requirement first. */
export const requirementTexts: Readonly<Record<Requirement, string>> = {
  longPassword: 'Choose a password of at least 12 characters in your account to open the admin panel.',
  passkey:
    'Everyone who works on this site needs a passkey. Add one in your account to open the admin panel.',
  passkeySignIn:
    'Everyone who works on this site needs a passkey. Use yours in your account to open the admin panel.',
};

/** The text for a caller who would belong to an audience but must do something first; undefined for anyone else. */
export const requirementTextFor = (caller: Caller, audience: Audience): string | undefined =>
  caller?.lacks && hasAbility(caller.role, audience) ? requirementTexts[caller.lacks] : undefined;
