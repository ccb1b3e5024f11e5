/**
 * Who may see a page and make a call, decided in one place: one table says what each role may do, and the guards of
 * calls and pages, the screens, the navigation and the description of the API use it.
 */

/** The names of the roles; `User` may do no more than any customer. */
export const userRoles = ['Admin', 'Editor', 'Support', 'User'] as const;
export type Role = (typeof userRoles)[number];

/**
 * `staff`: the administration's first screen and what all who work there share. `content`: sections, pictures, releases
 * and publications. `orders`: orders with their files, and what payments ask of a person. `messages`: what the contact form brought.
 * `customers`: customers and subscribers. `administrator`: money, users, settings, and what only an Admin may.
 */
export type Ability = 'staff' | 'content' | 'orders' | 'messages' | 'customers' | 'administrator';

/** `account`: anyone signed in. An ability: whose role has it. */
export type Audience = 'anyone' | 'account' | Ability;

const abilities: Readonly<Record<Role, readonly Ability[]>> = {
  Admin: ['staff', 'content', 'orders', 'messages', 'customers', 'administrator'],
  Editor: ['staff', 'content'],
  Support: ['staff', 'orders', 'messages', 'customers'],
  User: [],
};

/** What an account with a role must do before it may use its abilities. */
export const requirements = ['longPassword', 'passkey', 'passkeySignIn'] as const;
export type Requirement = (typeof requirements)[number];

/** The part of an account that decides; undefined for an anonymous caller. */
export type Caller = { readonly role: Role; readonly lacks: Requirement | null } | undefined;

/** Whether a role includes an ability, whatever its account still lacks. */
export const hasAbility = (role: Role, ability: Audience): boolean =>
  abilities[role].some((one) => one === ability);

/** Whether somebody belongs to an audience. */
export function may(caller: Caller, audience: Audience): boolean {
  if (audience === 'anyone') return true;
  if (!caller) return false;
  return audience === 'account' || (caller.lacks === null && hasAbility(caller.role, audience));
}

/** The text for somebody who must do something first. */
export const requirementTexts: Readonly<Record<Requirement, string>> = {
  longPassword: 'Choose a password of at least 12 characters in your account; then the administration opens.',
  passkey:
    'Everyone who works on this site needs a passkey. Add one in your account; then the administration opens.',
  passkeySignIn:
    'Everyone who works on this site needs a passkey. Use yours in your account; then the administration opens.',
};

/** The text for somebody who would belong to an audience but must do something first; undefined for anyone else. */
export const requirementTextFor = (caller: Caller, audience: Audience): string | undefined =>
  caller?.lacks && hasAbility(caller.role, audience) ? requirementTexts[caller.lacks] : undefined;
