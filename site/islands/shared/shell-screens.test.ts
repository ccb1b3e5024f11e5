import { expect, test } from 'vitest';
import { screensOf } from '#contract/screens.ts';
import type { ScreenComponents } from './shell-screens.ts';

const Record = ({ id }: { readonly id: string }) => id;
const Plain = () => null;

test('A screen without its component does not compile, nor does a component without its screen', () => {
  const checkout: ScreenComponents<'checkout'> = { orderForm: Record, cancelOrder: Plain };
  expect(Object.keys(checkout)).toEqual(screensOf('checkout').map(({ name }) => name));
  // @ts-expect-error The cancel screen has no component.
  const missing: ScreenComponents<'checkout'> = { orderForm: Record };
  // @ts-expect-error There is no basket screen in this shell.
  const unknown: ScreenComponents<'pay'> = { pay: Record, basket: Plain };
  expect([missing, unknown]).toHaveLength(2);
});

test('A component that wants an id does not compile for a screen that has none', () => {
  const customer: Pick<ScreenComponents<'customer'>, 'myOrder' | 'dashboard'> = {
    myOrder: Record,
    // @ts-expect-error The dashboard shows no single record.
    dashboard: Record,
  };
  expect(Object.keys(customer)).toHaveLength(2);
});
