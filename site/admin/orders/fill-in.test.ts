import { expect, test } from 'vitest';
import { fillIn } from './fill-in.ts';

const ann = { customerName: 'Ann', customerPhone: '1' };

test('Empty fields are filled in, and typed text is kept', () => {
  expect(fillIn({ customerName: '', customerPhone: '' }, {}, ann)).toEqual(ann);
  expect(fillIn({ customerName: 'Anna', customerPhone: '' }, {}, ann)).toEqual({ customerPhone: '1' });
});

test('Text that was filled in for another customer is replaced or cleared', () => {
  const ben = { customerName: 'Ben', customerPhone: '' };
  expect(fillIn(ann, ann, ben)).toEqual(ben);
  expect(fillIn({ ...ann, customerPhone: '2' }, ann, ben)).toEqual({ customerName: 'Ben' });
  expect(fillIn(ann, ann, ann)).toEqual({});
});
