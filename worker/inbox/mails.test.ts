import { expect, test } from 'vitest';
import { renderMail } from '../mail/layout.ts';
import { messageReplyMail } from './mails.ts';

test('A reply quotes the message as plain text, so no address in it becomes a link', () => {
  const quoted = {
    subject: 'Hello',
    message: 'See <b>this</b>\n(https://evil.example/x).',
    receivedOn: '11/26/2026',
  };
  const brand = { name: 'Acme', accent: '#1a4fd6' };
  const { text, html } = renderMail(messageReplyMail('Our answer.', quoted), brand);
  expect(text).toContain('On 11/26/2026 you wrote:\n\n> See <b>this</b>\n> (https://evil.example/x).\n\n-- ');
  expect(html).toContain('&gt; See &lt;b&gt;this&lt;/b&gt;<br>&gt; (https://evil.example/x).');
  expect(html).not.toContain('<a');
});
