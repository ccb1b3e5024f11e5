import { expect, test } from 'vitest';
import { seal, unseal } from './seal.ts';

const text = 'Open https://site.test/reset-password?token=secret — ñ, 漢字, 🎉'.repeat(3);

test('What was sealed opens with its secret and context, and shows nothing meanwhile', () => {
  const sealed = seal('secret', 'mail 1', text);
  expect(unseal('secret', 'mail 1', sealed)).toBe(text);
  expect(sealed).not.toContain('token');
  expect(seal('secret', 'mail 1', text)).not.toBe(sealed);
});

test('Another secret, another context or an altered text opens nothing', () => {
  const sealed = seal('secret', 'mail 1', text);
  expect(() => unseal('other', 'mail 1', sealed)).toThrow();
  expect(() => unseal('secret', 'mail 2', sealed)).toThrow();
  const [salt, tag, body = ''] = sealed.split('.');
  const altered = `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`;
  expect(() => unseal('secret', 'mail 1', [salt, tag, altered].join('.'))).toThrow();
});
