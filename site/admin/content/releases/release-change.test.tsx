import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ReleaseChange } from '#contract/releases.calls.ts';
import { queryClient } from '#site/app/query.ts';
import { ReleaseChangeCard } from './release-change.tsx';

test('An editor who decides whether to remove a record reads what a colleague changed in it', () => {
  const change: ReleaseChange = {
    _id: 'c',
    section: 'faqItem',
    recordId: 'f',
    action: 'remove',
    title: 'How long?',
    version: 1,
    recordVersion: 2,
    changes: [{ field: 'accodingText', before: 'Two weeks.', after: '' }],
    order: null,
    conflict: {
      kind: 'changed',
      detail: 'This question was saved in the meantime.',
      fields: [{ field: 'accodingText', base: 'Four weeks.', theirs: 'Two weeks.', mine: '' }],
    },
    at: '2026-01-01T00:00:00.000Z',
    by: null,
  };
  const text = renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <ReleaseChangeCard releaseId="r" change={change} isOpen />
    </QueryClientProvider>,
  ).replace(/<[^>]*>/g, ' ');
  expect(text).toMatch(/Changes to the live version:.*removed: +Four.*added: +Two.*would be removed:/s);
});
