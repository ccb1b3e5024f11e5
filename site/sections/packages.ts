/** The rules of the package cards: their order, their points, which one is recommended. */
import { parsePriceCents } from '#contract/money.ts';
import { isHidden, pointsOf, shownPoints, type PackagePlace } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import type { RecordOf } from '#contract/sections/index.ts';

type Package = RecordOf<'pricingPackage'>;

/** Whether the firm says why it recommends this package. */
export const isRecommended = ({ packageReason }: Package): boolean => packageReason !== '';

/** The packages that public pages show, side by side, the cheapest first. */
export const inCardOrder = (packages: readonly Package[]): readonly Package[] => {
  const centsOf = ({ packagePrice }: Package) => parsePriceCents(packagePrice) ?? 0;
  return packages.filter((plan) => !isHidden(plan)).sort((a, b) => centsOf(a) - centsOf(b));
};

/** The points on a package's card; blank ones are skipped and the next ones move up. */
export const cardPoints = (card: Package, place: PackagePlace): readonly string[] =>
  pointsOf(card).slice(0, shownPoints(card.packageName, place));

/** Where the button of a package leads. */
export const orderPath = ({ _id }: Package): string => linkTo('orderForm', _id);
