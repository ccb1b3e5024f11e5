/** The user's role, which the Worker writes into the page (publishing/serve-screens.ts). */
import { may, userRoles, type Ability, type Restriction } from '#contract/audience.ts';

const { dataset } = document.documentElement;
const role = userRoles.find((name) => name === dataset['role']);

/**
 * Whether screens show what an ability allows. This is only for convenience: the API decides what a user may do, and
 * the Worker never serves these screens to users without the required role.
 */
export const offers = (ability: Ability): boolean => may(role && { role, lacks: null }, ability);

const kept = new Set(dataset['restrictions']?.split(' '));

/** Whether a setting takes something away from the user's role. */
export const isRestricted = (what: Restriction): boolean => kept.has(what);

/** Whether the site does not have its own domain yet, so it sends no email. */
export const isTrial = dataset['trial'] === 'yes';

export const hasPasskey = dataset['hasPasskey'] !== 'no';
