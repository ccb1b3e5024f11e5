import { afterEach, expect, test, vi } from 'vitest';
import { forgetPasskey } from './passkey.ts';

afterEach(() => vi.unstubAllGlobals());

test('The site reports a removed passkey to devices that support it, and ignores a failure', async () => {
  vi.stubGlobal('location', { hostname: 'agency.example' });
  const signalUnknownCredential = vi.fn(() => Promise.reject(new Error('The device said no.')));
  vi.stubGlobal('PublicKeyCredential', { signalUnknownCredential });
  await forgetPasskey('an-id');
  expect(signalUnknownCredential).toHaveBeenCalledWith({ rpId: 'agency.example', credentialId: 'an-id' });
});

test('In a browser without the signal, or without passkeys, nothing happens', async () => {
  await expect(forgetPasskey('an-id')).resolves.toBeUndefined();
  vi.stubGlobal('PublicKeyCredential', {});
  await expect(forgetPasskey('an-id')).resolves.toBeUndefined();
});
