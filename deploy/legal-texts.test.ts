import { expect, test } from 'vitest';
import { legalTextsFor } from './legal-texts.ts';

test('The privacy page of a new site names the retention periods of its settings', () => {
  const read = (settings: Parameters<typeof legalTextsFor>[0]) => legalTextsFor(settings)[0].text;
  expect(read({})).toContain('contact form after 2 years, and messages about an order after 2 years.');
  const text = read({ LIMIT_MESSAGE_DAYS: '90', LIMIT_CONVERSATION_DAYS: '365', LIMIT_AUDIT_DAYS: '400' });
  expect(text).toContain('contact form after 90 days, and messages about an order after 1 year.');
  expect(text).toContain('was used, for 400 days, so');
});
