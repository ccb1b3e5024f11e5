/** The rules of the package cards: their order, how many points each shows, the price as people read it. */
import { pointsOf } from '#contract/packages.ts';
import { linkTo } from '#contract/screens.ts';
import { sections, type RecordOf } from '#contract/sections/index.ts';

type Package = RecordOf<'pricingPackage'>;

/** Where a card stands decides how many points it shows. */
export type PackagePlace = 'landing' | 'pricing';

const names: readonly string[] = sections.pricingPackage.fields.packageName.options;

/** The package that the others are measured by: it stands in the middle and shows one point more. */
export const isChief = ({ packageName }: Pick<Package, 'packageName'>): boolean => packageName === 'Premium';

/** How many points a package's card shows: six and seven on the landing page, seven and eight on the pricing page. */
const shownPoints = (card: Package, place: PackagePlace): number =>
  (place === 'landing' ? 6 : 7) + (isChief(card) ? 1 : 0);

/** The packages as they stand side by side: Basic, Premium, Standard. */
export const inCardOrder = (packages: readonly Package[]): readonly Package[] =>
  packages.toSorted((a, b) => names.indexOf(a.packageName) - names.indexOf(b.packageName));

/** The points on a package's card; blank ones are skipped and the next ones move up. */
export const cardPoints = (card: Package, place: PackagePlace): readonly string[] =>
  pointsOf(card).slice(0, shownPoints(card, place));

/** Where the button of a package leads. */
export const orderPath = ({ _id }: Package): string => linkTo('orderForm', _id);
