import { expect, test } from 'vitest';
import { deleteObjects } from './bucket.ts';

test('No request deletes more than a thousand objects', async () => {
  const asked: string[][] = [];
  const FILES = {
    delete: (keys: string[]) => {
      asked.push(keys);
      return Promise.resolve();
    },
  } as unknown as R2Bucket;
  const keys = Array.from({ length: 2_500 }, (_, index) => String(index));
  await deleteObjects({ FILES }, keys);
  expect(asked.map(({ length }) => length)).toEqual([1_000, 1_000, 500]);
  expect(asked.flat()).toEqual(keys);
});
