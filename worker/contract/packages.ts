/** What a package promises: its points, of which any may be blank. */

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
