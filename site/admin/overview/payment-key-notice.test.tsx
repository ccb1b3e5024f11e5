import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { callQuery, queryClient } from '#site/app/query.ts';
import { PaymentKeyNotice } from './payment-key-notice.tsx';

function show(keys: readonly object[]): string {
  queryClient.setQueryData(callQuery('GET /stripe-keys').queryKey, { data: keys });
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <PaymentKeyNotice />
    </QueryClientProvider>,
  );
}

test('The overview reminds administrators of a missing payment key', () => {
  expect(show([])).toContain('Customers cannot pay by card yet');
  expect(show([{ _id: 'a', stripeKey: 'pk_test_1' }])).toBe('');
});
