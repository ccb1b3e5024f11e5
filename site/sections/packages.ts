/** The rules of the package cards: order, points, and which one is recommended. */
import { parsePriceCents } from '#contract/money.ts';
import { isHidden, pointsOf, shownPoints, type PackagePlace } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import type { RecordOf } from '#contract/sections/index.ts';

type Package = RecordOf<'pricingPackage'>;

/** Whether the firm recommends this package, which means that it gives a reason. */
export const isRecommended = ({ packageReason }: Package): boolean => packageReason !== '';

/** Returns the packages on public pages, cheapest first. */
export const inCardOrder = (packages: readonly Package[]): readonly Package[] => {
  const centsOf = ({ packagePrice }: Package) => parsePriceCents(packagePrice) ?? 0;
  return packages.filter((plan) => !isHidden(plan)).sort((a, b) => centsOf(a) - centsOf(b));
};

/** Returns the points on a package's card, without empty ones. */
export const cardPoints = (card: Package, place: PackagePlace): readonly string[] =>
  pointsOf(card).slice(0, shownPoints(card.packageName, place));

export const orderPath = ({ _id }: Package): string => linkTo('orderForm', _id);
