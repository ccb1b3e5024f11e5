/** Abilities that the settings take away from a role. */
import type { Restriction, Role } from '#contract/audience.ts';
import type { Env } from '../env.ts';
import { notAllowed } from '../http/errors.ts';

type Settings = Pick<Env, 'PRICE_CHANGES' | 'SUPPORT_TOTALS'>;

const texts: Readonly<Record<Restriction, string>> = {
  prices: 'Only an administrator may change prices. Please ask one.',
  totals: 'Only an administrator can see the totals of all orders.',
};

export const restrictionsFor = (env: Settings, role: Role | undefined): Restriction[] => [
  ...(role === 'Editor' && env.PRICE_CHANGES === 'administrators' ? (['prices'] as const) : []),
  ...(role === 'Support' && env.SUPPORT_TOTALS === 'hidden' ? (['totals'] as const) : []),
];

/** @throws ApiError 403 the settings take this ability away from the role */
export function requireUnrestricted(env: Settings, role: Role | undefined, what: Restriction): void {
  if (restrictionsFor(env, role).includes(what)) throw notAllowed(texts[what]);
}
