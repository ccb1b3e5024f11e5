import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test, vi } from 'vitest';
import { PasskeyNotice } from './passkey-notice.tsx';

vi.hoisted(() => vi.stubGlobal('document', { documentElement: { dataset: { hasPasskey: 'no' } } }));

test('Staff whose browser stores nothing can open the overview', () => {
  vi.stubGlobal('localStorage', {
    getItem() {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    },
  });
  expect(renderToStaticMarkup(<PasskeyNotice />)).toContain('Set it up');
});
