import { expect, test } from 'vitest';
import { CallError } from '#site/app/call.ts';
import { byReason, changeEach } from './change-each.ts';

const refusal = (status: number, detail: string) => new CallError({ title: 'Refused', status, detail });

test('An administrator reads why some rows could not be changed, and the others are changed', async () => {
  const changed: number[] = [];
  const seen: number[] = [];
  const outcome = await changeEach(
    [1, 2, 3, 4],
    {
      disabledReason: (row) => (row === 4 ? 'It is done already.' : undefined),
      change: (row) => {
        if (row === 2) return Promise.reject(refusal(409, 'It was cancelled.'));
        changed.push(row);
        return Promise.resolve();
      },
    },
    (seenTo) => seen.push(seenTo),
  );
  expect(changed).toEqual([1, 3]);
  expect(outcome).toEqual({
    done: [1, 3],
    notDone: [
      { row: 2, reason: 'It was cancelled.' },
      { row: 4, reason: 'It is done already.' },
    ],
  });
  expect(seen).toEqual([1, 2, 3, 4]);
});

test.each([0, 403, 503])('After the status %i, the remaining rows are not changed', async (status) => {
  const asked: number[] = [];
  const { done, notDone } = await changeEach([1, 2, 3], {
    change: (row) => {
      asked.push(row);
      return row === 2 ? Promise.reject(refusal(status, 'Not now.')) : Promise.resolve();
    },
  });
  expect(asked).toEqual([1, 2]);
  expect(done).toEqual([1]);
  expect(byReason(notDone, (row) => `#${row}`)).toEqual([['Not now.', ['#2', '#3']]]);
});
