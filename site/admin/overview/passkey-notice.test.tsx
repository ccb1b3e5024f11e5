import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { PasskeyNotice } from './passkey-notice.tsx';

vi.hoisted(() => vi.stubGlobal('document', { documentElement: { dataset: { hasPasskey: 'no' } } }));

test('Staff can open the overview even if their browser blocks storage', () => {
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    },
  });
  expect(renderToStaticMarkup(<PasskeyNotice />)).toContain('Set it up');
});
