import { expect, test } from 'vitest';
import { seal, unseal } from './seal.ts';

const text = 'Open https://site.test/reset-password?token=secret — ñ, 漢字, 🎉'.repeat(3);

test('A sealed text opens with its key and context, and reveals nothing before that', () => {
  const sealed = seal(['key'], 'mail 1', text);
  expect(unseal(['key'], 'mail 1', sealed)).toBe(text);
  expect(sealed).not.toContain('token');
  expect(seal(['key'], 'mail 1', text)).not.toBe(sealed);
});

test('A new first key seals from then on, and the older keys still open what they sealed', () => {
  const before = seal(['old'], 'mail 1', text);
  const after = seal(['new', 'old'], 'mail 2', text);
  expect(unseal(['new', 'old'], 'mail 1', before)).toBe(text);
  expect(unseal(['new'], 'mail 2', after)).toBe(text);
  expect(() => unseal(['new'], 'mail 1', before)).toThrow();
});

test('A sealed text does not open with another key or context, or after it was altered', () => {
  const sealed = seal(['key'], 'mail 1', text);
  expect(() => unseal(['other'], 'mail 1', sealed)).toThrow();
  expect(() => unseal(['key'], 'mail 2', sealed)).toThrow();
  const [salt, tag, body = ''] = sealed.split('.');
  const altered = `${body.startsWith('A') ? 'B' : 'A'}${body.slice(1)}`;
  expect(() => unseal(['key'], 'mail 1', [salt, tag, altered].join('.'))).toThrow();
});
