/**
 * Passkeys in the browser, with SimpleWebAuthn. Loaded on demand. Failures are reported as call errors, with
 * messages in plain words, because many people do not know the term passkey.
 */
import { startAuthentication, startRegistration, WebAuthnError } from '@simplewebauthn/browser';
import { safeNext } from '#contract/account-rules.ts';
import type { Assertion, CreationOptions, RequestOptions } from '#contract/passkeys.calls.ts';
import { unknownPasskey } from '#contract/problem.ts';
import { type CallBody, CallError, api } from './call.ts';

/** By the names of the errors: https://www.w3.org/TR/webauthn-3/#sctn-createCredential */
const texts: Readonly<Record<string, string>> = {
  InvalidStateError: 'You can already log in with this device.',
  NotSupportedError: 'This device has no fingerprint, face or screen lock that works here.',
  ConstraintError: 'Set up a screen lock on this device first, then try again.',
  SecurityError: 'This does not work at this web address. Please open the site at its main address.',
};
const cancelled = 'That was cancelled, or took too long. Nothing has changed.';

const nameOf = (error: unknown): string => {
  const cause = error instanceof WebAuthnError ? error.cause : error;
  return cause instanceof Error ? cause.name : '';
};

/** Whether a failure needs no message: another request replaced this one, or the user had asked for nothing. */
export const isUnasked = (error: unknown): boolean =>
  error instanceof CallError && error.problem['unasked'] === true;

async function withExplanation<T>(ask: () => Promise<T>, isAutofill = false): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    const name = nameOf(error);
    throw new CallError({
      title: 'That did not work',
      // The device refused, so nothing was sent.
      status: 400,
      detail: texts[name] ?? cancelled,
      unasked: isAutofill || name === 'AbortError',
    });
  }
}

/** Asks the device to create a passkey. @throws CallError */
export const makePasskey = (
  options: CreationOptions,
): Promise<CallBody<'POST /auth/passkeys'>['credential']> =>
  withExplanation(async () => {
    const { id, response } = await startRegistration({
      // The library declares its lists as mutable, but does not change them.
      optionsJSON: structuredClone(options) as Parameters<typeof startRegistration>[0]['optionsJSON'],
    });
    const { clientDataJSON, attestationObject, transports = [] } = response;
    return { id, clientDataJSON, attestationObject, transports };
  });

/** @param isAutofill waits until the user picks a passkey from the browser's suggestions in the email field */
export const showPasskey = (options: RequestOptions, isAutofill = false): Promise<Assertion> =>
  withExplanation(async () => {
    const { id, response } = await startAuthentication({
      optionsJSON: structuredClone(options) as Parameters<typeof startAuthentication>[0]['optionsJSON'],
      useBrowserAutofill: isAutofill,
    });
    const { clientDataJSON, authenticatorData, signature, userHandle } = response;
    return { id, clientDataJSON, authenticatorData, signature, ...(userHandle && { userHandle }) };
  }, isAutofill);

/**
 * Asks the device to stop offering a passkey that no longer opens an account, if it supports that. Otherwise, the
 * owner must delete it there.
 * @param credentialId the id by which the device knows it
 */
export async function forgetPasskey(credentialId: string): Promise<void> {
  if (!('PublicKeyCredential' in globalThis) || !('signalUnknownCredential' in PublicKeyCredential)) return;
  await PublicKeyCredential.signalUnknownCredential({ rpId: location.hostname, credentialId }).catch(
    () => undefined,
  );
}

interface PasskeySignIn {
  /** Whether to wait until the user picks a passkey from the browser's suggestions in the email field. */
  readonly isAutofill: boolean;
  /** The requested path; empty for none. */
  readonly next: string;
}

/**
 * Signs in with a passkey. If the server does not know the passkey, asks the device to delete it.
 * @returns the requested path, if it is on this site
 * @throws CallError
 */
export async function signInByPasskey(
  options: RequestOptions,
  { isAutofill, next }: PasskeySignIn,
): Promise<string | undefined> {
  const assertion = await showPasskey(options, isAutofill);
  try {
    await api('POST /auth/passkey', { body: { assertion } });
  } catch (error) {
    if (error instanceof CallError && error.problem[unknownPasskey] === true)
      await forgetPasskey(assertion.id);
    throw error;
  }
  return safeNext(next);
}
