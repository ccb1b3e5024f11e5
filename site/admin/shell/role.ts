/** The role of the caller that these screens were served to: the Worker writes it into the page (publishing/serve-screens.ts). */
import { may, userRoles, type Ability } from '#contract/audience.ts';

const { dataset } = document.documentElement;
const role = userRoles.find((name) => name === dataset['role']);

/**
 * Whether the screens offer what an ability opens. It is a courtesy: the calls decide. Whoever still lacks something gets
 * none of these screens.
 */
export const offers = (ability: Ability): boolean => may(role && { role, lacks: null }, ability);

/** Whether the site has no domain of its own yet, and so sends no email. */
export const isTrial = dataset['trial'] === 'yes';

/** Whether their account has a passkey. */
export const hasPasskey = dataset['hasPasskey'] !== 'no';
