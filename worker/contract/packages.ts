/** What a package promises: its points, of which any may be blank, and where they are shown. */

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

/** The points in their order, blank ones left out. */
export const pointsOf = (record: Readonly<Record<(typeof pointFields)[number], string>>): readonly string[] =>
  pointFields.map((field) => record[field]).filter((point) => point.trim() !== '');

/** Where a card stands decides how many points it shows. */
export type PackagePlace = 'landing' | 'pricing';

/** How many points a package's card shows: six on the landing page, seven on the pricing page, of Premium one more. */
export const shownPoints = (packageName: string, place: PackagePlace): number =>
  (place === 'landing' ? 6 : 7) + (packageName === 'Premium' ? 1 : 0);

/** What the form of a package says beside its points: how many each place shows, and which of them some place leaves out. */
export function pointNotes(record: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const { packageName = '' } = record;
  const onLanding = shownPoints(packageName, 'landing');
  const onPricing = shownPoints(packageName, 'pricing');
  const counts = `The landing page shows the first ${onLanding} points that are filled in, the pricing page the first ${onPricing}. The order form and the order show all of them.`;
  const filled = pointFields.filter((field) => (record[field] ?? '').trim() !== '');
  const left = filled
    .slice(onLanding)
    .map((field, index): [string, string] => [
      field,
      onLanding + index < onPricing
        ? 'Not on the landing page.'
        : 'Not on the landing page and not on the pricing page: on the order form and the order alone.',
    ]);
  return { packagePointOne: counts, ...Object.fromEntries(left) };
}
