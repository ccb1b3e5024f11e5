import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, test } from 'vitest';
import { CallError } from './call.ts';
import { LoadedScreen, type LoadedScreenProps } from './loaded-screen.tsx';

const shown = (status: number, more: Partial<LoadedScreenProps<string>> = {}) => {
  const error = new CallError({ title: 'Not loaded', status, detail: 'It was not loaded.' });
  return renderToStaticMarkup(
    <LoadedScreen
      title="Order"
      back={{ href: '/orders', label: 'Orders' }}
      missing={{ title: 'We could not find this order', why: 'The address may be misspelled.' }}
      query={{ data: undefined, error, errorUpdatedAt: 1, isFetching: false, refetch: () => undefined }}
      {...more}
    >
      {(text) => text}
    </LoadedScreen>,
  );
};

describe('A screen whose record does not exist', () => {
  test('says so and leads back', () => {
    const html = shown(404);
    expect(html).toContain('We could not find this order');
    expect(html).toMatch(/<a[^>]*href="\/orders"[^>]*>(<[^>]*>)*Back to Orders/);
    expect(html).not.toContain('Try again');
  });

  test('links to a more helpful page', () => {
    const wayOn = { href: '/pricing', label: 'See the packages' };
    const html = shown(404, { missing: { title: 'Gone', why: 'It was removed.', wayOn } });
    expect(html).toContain('See the packages');
    expect(html).not.toContain('Back to Orders');
  });
});

test('A screen that could not be loaded offers to try again', () => {
  expect(shown(500)).toContain('Try again');
  expect(shown(409)).toContain('Try again');
  expect(shown(409, { missingStatuses: [404, 409] })).not.toContain('Try again');
});
