import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { SessionEntry } from '#contract/accounts.calls.ts';
import { callQuery, queryClient } from '../app/query.ts';
import { SessionsCard } from './sessions-card.tsx';

const session = (number: number): SessionEntry => ({
  _id: `session-${number}`,
  device: `Device ${number}`,
  place: '',
  isCurrent: number === 7,
  createdAt: 0,
  lastUsedAt: -number,
});

function devicesOf(count: number) {
  const sessions = Array.from({ length: count }, (_, index) => session(index + 1));
  queryClient.setQueryData(callQuery('GET /auth/sessions').queryKey, { data: sessions });
  const html = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <SessionsCard />
    </QueryClientProvider>,
  );
  return {
    devices: [...html.matchAll(/<td[^>]*>(?:<[^>]*>)*(Device \d+)/g)].map(([, device]) => device),
    button: /Show all \d+ sessions/.exec(html)?.[0],
  };
}

test('The account lists the latest sessions and the current one, and a button shows the others', () => {
  expect(devicesOf(5)).toMatchObject({ devices: [1, 2, 3, 4, 5].map((number) => `Device ${number}`) });
  expect(devicesOf(5).button).toBeUndefined();
  expect(devicesOf(8)).toEqual({
    devices: [1, 2, 3, 4, 5, 7].map((number) => `Device ${number}`),
    button: 'Show all 8 sessions',
  });
});
