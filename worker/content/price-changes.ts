/** Changes to package prices: what the audit log says about them, and who may make them. */
import type { Role } from '#contract/audience.ts';
import { displayPriceText } from '#contract/money.ts';
import { requireUnrestricted } from '../accounts/restrictions.ts';
import type { RecordChange } from './edits.ts';

interface PriceChange {
  readonly recordId: string;
  readonly packageName: string;
  /** The prices before and after, as displayed. */
  readonly from: string;
  readonly to: string;
}

/** The changed prices. A switch from one payment to monthly payments also counts as a changed price. */
export const priceChangesIn = (changes: readonly RecordChange[]): PriceChange[] =>
  changes.flatMap(({ section, before, after }) => {
    if (section !== 'pricingPackage' || !before || !after) return [];
    const [from = '', to = ''] = [before, after].map(
      ({ values: { packagePrice = '', billing } }) =>
        `${displayPriceText(packagePrice)}${billing === 'monthly' ? ' per month' : ''}`,
    );
    return from === to
      ? []
      : [{ recordId: after._id, packageName: after.values['packageName'] ?? '', from, to }];
  });

/**
 * Rejects price changes by a person who may not make them (the setting PRICE_CHANGES).
 * @param role of the person; undefined for the cron trigger
 * @throws ApiError 403
 */
export function checkPrices(
  env: Parameters<typeof requireUnrestricted>[0],
  role: Role | undefined,
  changes: readonly RecordChange[],
): void {
  if (priceChangesIn(changes).length > 0) requireUnrestricted(env, role, 'prices');
}
