/** The name, price and points of a package, and which pages show it. */
import { displayPriceText } from './money.ts';

/** How often a package is paid: once, or every month until the customer cancels. */
export const billings = ['once', 'monthly'] as const;

/** Whether a package or an order is paid every month. Packages saved before `billing` existed have an empty text. */
export const isMonthly = ({ billing }: { readonly billing: string }): boolean => billing === 'monthly';

/** The display name, or the package's name if it has none. */
export const displayNameOf = ({
  displayName,
  packageName,
}: {
  readonly displayName: string;
  readonly packageName: string;
}): string => displayName || packageName;

/** Formats the price of a package or an order: `$499`, `$499 per month`, or with a coupon `$449 this month`. */
export const displayPackagePrice = ({
  packagePrice,
  billing,
  couponCode = '',
}: {
  readonly packagePrice: string;
  readonly billing: string;
  readonly couponCode?: string;
}): string => {
  const price = displayPriceText(packagePrice);
  if (!isMonthly({ billing })) return price;
  return `${price} ${couponCode === '' ? 'per month' : 'this month'}`;
};

/** Whether public pages leave a package out. The link to its order form still works. */
export const isHidden = ({ hidden }: { readonly hidden: string }): boolean => hidden === 'yes';

const pointFields = [
  'packagePointOne',
  'packagePointTwo',
  'packagePointThree',
  'packagePointFour',
  'packagePointFive',
  'packagePointSix',
  'packagePointSeven',
  'packagePointEight',
  'packagePointNine',
  'packagePointTen',
] as const;

/** The points in order, without empty ones. */
export const pointsOf = (record: Readonly<Record<(typeof pointFields)[number], string>>): readonly string[] =>
  pointFields.map((field) => record[field]).filter((point) => point.trim() !== '');

/** The page on which a card appears. It determines how many points the card shows. */
export type PackagePlace = 'landing' | 'pricing';

/** How many points a card shows: six on the landing page, seven on the pricing page, and one more for Premium. */
export const shownPoints = (packageName: string, place: PackagePlace): number =>
  (place === 'landing' ? 6 : 7) + (packageName === 'Premium' ? 1 : 0);

/**
 * Notes in a package's form: how many points each page shows, which points it leaves out, and whether a monthly package
 * is still described as paid once.
 */
export function packageNotes(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { packageName = '', billing = '', packageTerms = '' } = record;
  const onLanding = shownPoints(packageName, 'landing');
  const onPricing = shownPoints(packageName, 'pricing');
  const counts = `The landing page shows the first ${onLanding} points that are filled in, the pricing page the first ${onPricing}. The order form and the order show all of them.`;
  const filled = pointFields.filter((field) => (record[field] ?? '').trim() !== '');
  const hidden = filled
    .slice(onLanding)
    .map((field, index): [string, string] => [
      field,
      onLanding + index < onPricing
        ? 'Not on the landing page.'
        : 'Not on the landing page and not on the pricing page, only on the order form and the order.',
    ]);
  return {
    packagePointOne: counts,
    ...Object.fromEntries(hidden),
    ...(isMonthly({ billing }) &&
      /one[- ]time/i.test(packageTerms) && {
        packageTerms: 'Customers pay for this package every month, so it is not one-time.',
      }),
  };
}
