import { afterEach, expect, test, vi } from 'vitest';
import { forgetPasskey } from './passkey.ts';

afterEach(() => vi.unstubAllGlobals());

test('A device that supports it learns that a removed passkey opens nothing any more, and a failure does not matter', async () => {
  vi.stubGlobal('location', { hostname: 'agency.example' });
  const signalUnknownCredential = vi.fn(() => Promise.reject(new Error('The device said no.')));
  vi.stubGlobal('PublicKeyCredential', { signalUnknownCredential });
  await forgetPasskey('an-id');
  expect(signalUnknownCredential).toHaveBeenCalledWith({ rpId: 'agency.example', credentialId: 'an-id' });
});

test('A browser without the signal is left alone', async () => {
  vi.stubGlobal('PublicKeyCredential', {});
  await expect(forgetPasskey('an-id')).resolves.toBeUndefined();
});
