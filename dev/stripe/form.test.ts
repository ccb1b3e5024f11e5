import { expect, test } from 'vitest';
import { decodeForm } from './form.ts';

test('Nested names, lists and numbered lists are decoded', () => {
  expect(
    decodeForm(
      'amount=500&card[number]=4242&metadata[a+b]=%26%3D&expand[]=x&expand[]=y.z&items[0][id]=1&items[1][id]=2',
    ),
  ).toEqual({
    amount: '500',
    card: { number: '4242' },
    metadata: { 'a b': '&=' },
    expand: ['x', 'y.z'],
    items: [{ id: '1' }, { id: '2' }],
  });
});

test('A property name of JavaScript is a name like any other', () => {
  const form = decodeForm('__proto__[polluted]=yes&metadata[constructor]=x');
  expect(Object.hasOwn(form, '__proto__')).toBe(true);
  expect({}).not.toHaveProperty('polluted');
});
