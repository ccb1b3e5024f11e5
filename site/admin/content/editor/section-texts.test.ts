import { expect, test } from 'vitest';
import { recordSummary } from './section-texts.ts';

test('The line about a record names a field that is yes or no', () => {
  const question = { question: 'Your competitors?', kind: 'text', choices: '', required: 'no' };
  expect(recordSummary('briefQuestion', question)).toBe('Text · Must be answered: No');
  expect(recordSummary('planStep', { title: 'Drafts', details: '', dueDays: '9', approval: 'yes' })).toBe(
    'Needs approval: Yes',
  );
});

test('The line about a redirect shows its target', () => {
  expect(recordSummary('redirect', { from: '/old-prices', to: '/pricing/' })).toBe('/pricing/');
});
