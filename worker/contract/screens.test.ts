import { describe, expect, test } from 'vitest';
import { findScreen, linkToHome, linkToRecord } from './all-screens.ts';
import { newId } from './ids.ts';
import { linkTo, screenFinder, screensOf, type ScreenName } from './screens.ts';

describe('A link', () => {
  test('leads to the screen with its name, and to the record if the screen shows one', () => {
    const id = newId();
    expect(linkTo('login')).toBe('/login');
    expect(linkTo('pay', id)).toBe(`/pay-now/${id}`);
    expect(findScreen(linkTo('order', id))).toMatchObject({ screen: { name: 'order' }, id });
    expect(findScreen(linkTo('orders'))).toMatchObject({ screen: { name: 'orders' }, id: '' });
  });

  test('leads to the home of a section, and to the form of a record', () => {
    const id = newId();
    expect(findScreen(linkToHome('banner'))?.screen).toMatchObject({
      name: 'sections',
      sections: ['banner'],
    });
    expect(findScreen(linkToRecord('banner', id))).toMatchObject({
      screen: { name: 'editRecord', sections: ['banner'] },
      id,
    });
  });

  test('to an unknown screen does not compile', () => {
    // @ts-expect-error There is no such screen.
    expect(() => linkTo('basket')).toThrow();
    // @ts-expect-error The screen shows a record, so the link needs its id.
    linkTo('pay');
    // @ts-expect-error The screen shows no record.
    linkTo('login', newId());
    // @ts-expect-error If the name can be any screen, the link needs the id that some screens need.
    const linkToAny = (name: ScreenName) => linkTo(name);
    expect(linkToAny('login')).toBe('/login');
  });
});

test('A shell finds only its own screens', () => {
  const find = screenFinder(screensOf('customer'));
  expect(find('/my-order')?.screen.name).toBe('myOrders');
  expect(find('/my-order/')?.screen.name).toBe('myOrders');
  expect(find('/admin')).toBeUndefined();
});
