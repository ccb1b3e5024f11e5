import { expect, test } from 'vitest';
import { packageNotes } from './packages.ts';

const numbers = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

test('The form of a package marks each point that a page does not show, and does not count empty points', () => {
  const points = Object.fromEntries(
    numbers.map((number) => [`packagePoint${number}`, number === 'Two' ? ' ' : number]),
  );
  const { packagePointOne, ...marked } = packageNotes({ packageName: 'Basic', ...points });
  expect(packagePointOne).toContain('first 6 points that are filled in, the pricing page the first 7.');
  expect(marked).toEqual({
    packagePointEight: 'Not on the landing page.',
    packagePointNine: expect.stringContaining('not on the pricing page') as string,
    packagePointTen: expect.stringContaining('not on the pricing page') as string,
  });
  expect(Object.keys(packageNotes({ packageName: 'Premium', ...points }))).toEqual([
    ...['packagePointOne', 'packagePointNine', 'packagePointTen'],
  ]);
});

test('The form of a monthly package says that its terms still describe one payment', () => {
  const packageTerms = 'One-time, done in 30 days';
  expect(packageNotes({ billing: 'monthly', packageTerms })).toHaveProperty('packageTerms');
  expect(packageNotes({ billing: 'monthly', packageTerms: 'A new report every month' })).not.toHaveProperty(
    'packageTerms',
  );
  expect(packageNotes({ billing: 'once', packageTerms })).not.toHaveProperty('packageTerms');
});
