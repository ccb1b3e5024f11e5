import { afterEach, expect, test, vi } from 'vitest';
import { forgetPasskey, isUnasked, showPasskey } from './passkey.ts';

vi.mock('@simplewebauthn/browser', () => ({
  startAuthentication: () => Promise.reject(new DOMException('No device.', 'NotSupportedError')),
  startRegistration: vi.fn(),
  WebAuthnError: class extends Error {},
}));

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

test('A device that cannot present a passkey is reported only to users who asked for it', async () => {
  const options = {
    challenge: 'c',
    timeout: 60_000,
    rpId: 'agency.example',
    userVerification: 'required',
  } as const;
  const failure = (isAutofill: boolean) => showPasskey(options, isAutofill).catch((error: unknown) => error);
  expect(isUnasked(await failure(false))).toBe(false);
  expect(isUnasked(await failure(true))).toBe(true);
});
