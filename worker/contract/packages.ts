/** The points of a package, and which pages show them. */

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

/** The points in order, without blank ones. */
export const pointsOf = (record: Readonly<Record<(typeof pointFields)[number], string>>): readonly string[] =>
  pointFields.map((field) => record[field]).filter((point) => point.trim() !== '');

/** The page of a card, which decides how many points the card shows. */
export type PackagePlace = 'landing' | 'pricing';

/** How many points a card shows: six on the landing page, seven on the pricing page, and one more for Premium. */
export const shownPoints = (packageName: string, place: PackagePlace): number =>
  (place === 'landing' ? 6 : 7) + (packageName === 'Premium' ? 1 : 0);

/**
 * Notes beside the points in the form of a package: how many points each page shows, and which points it leaves out.
 */
export function pointNotes(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { packageName = '' } = record;
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
  return { packagePointOne: counts, ...Object.fromEntries(hidden) };
}
