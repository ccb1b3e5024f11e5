import { expect, test } from 'vitest';
import { withToast } from './toasts.tsx';

test('A failure replaces the successes of earlier actions, and a success leaves a failure that was not dismissed', () => {
  const toasts = [
    { id: 0, text: 'Banner is Updated', tone: 'success' },
    { id: 1, text: 'Nothing was saved.', tone: 'danger' },
    { id: 2, text: 'Logo is Updated', tone: 'success' },
  ] as const;
  const shown = [[], ...toasts.map((_, count) => toasts.slice(0, count + 1).reduce(withToast, []))];
  expect(shown.map((one) => one.map(({ id }) => id))).toEqual([[], [0], [1], [1, 2]]);
});
