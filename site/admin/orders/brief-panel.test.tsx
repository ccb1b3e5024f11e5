import { QueryClientProvider } from '@tanstack/react-query';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { Order } from '#contract/orders.calls.ts';
import type { Brief, OrderWork } from '#contract/plans.calls.ts';
import { queryClient } from '#site/app/query.ts';
import { BriefPanel } from './brief-panel.tsx';

const question = { _id: 'q', question: 'Your site?', help: '', kind: 'link', choices: [], isRequired: true };

const shown = (brief: OrderWork['brief'], answer: string) =>
  renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <BriefPanel
        order={{ paymentStatus: 'Paid', orderStatus: 'Pending' } as Order}
        work={{ brief, isBriefReopened: false } as OrderWork}
        brief={{ status: 'open', questions: [{ ...question, answer }] } as unknown as Brief}
      />
    </QueryClientProvider>,
  );

test('Staff see no missing answers on an order without questions, and all existing answers', () => {
  expect(shown('open', '')).toContain('The customer has not answered yet.');
  expect(shown('none', '')).toBe('');
  expect(shown('none', 'lopez.example')).toContain('lopez.example');
});
