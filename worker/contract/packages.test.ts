import { expect, test } from 'vitest';
import { pointNotes } from './packages.ts';

const numbers = ['One', 'Two', 'Three', 'Four', 'Five', 'Six', 'Seven', 'Eight', 'Nine', 'Ten'];

test('The form of a package marks each point that a page does not show, and does not count empty points', () => {
  const points = Object.fromEntries(
    numbers.map((number) => [`packagePoint${number}`, number === 'Two' ? ' ' : number]),
  );
  const { packagePointOne, ...marked } = pointNotes({ packageName: 'Basic', ...points });
  expect(packagePointOne).toContain('first 6 points that are filled in, the pricing page the first 7.');
  expect(marked).toEqual({
    packagePointEight: 'Not on the landing page.',
    packagePointNine: expect.stringContaining('not on the pricing page') as string,
    packagePointTen: expect.stringContaining('not on the pricing page') as string,
  });
  expect(Object.keys(pointNotes({ packageName: 'Premium', ...points }))).toEqual([
    ...['packagePointOne', 'packagePointNine', 'packagePointTen'],
  ]);
});
