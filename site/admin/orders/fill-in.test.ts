import { expect, test } from 'vitest';
import { fillIn } from './fill-in.ts';

const ann = { customerName: 'Ann', customerPhone: '1' };

test('Empty fields are filled in, and what somebody has typed stays', () => {
  expect(fillIn({ customerName: '', customerPhone: '' }, {}, ann)).toEqual(ann);
  expect(fillIn({ customerName: 'Anna', customerPhone: '' }, {}, ann)).toEqual({ customerPhone: '1' });
});

test('What was filled in for another customer is replaced, also by nothing', () => {
  const ben = { customerName: 'Ben', customerPhone: '' };
  expect(fillIn(ann, ann, ben)).toEqual(ben);
  expect(fillIn({ ...ann, customerPhone: '2' }, ann, ben)).toEqual({ customerName: 'Ben' });
  expect(fillIn(ann, ann, ann)).toEqual({});
});
