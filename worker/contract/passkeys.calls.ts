/**
 * The calls for passkeys and recovery codes. The options for a device are in WebAuthn's JSON format
 * (https://www.w3.org/TR/webauthn-3/#sctn-parseCreationOptionsFromJSON). The calls accept only the parts of the
 * device's response that the server checks.
 */
import * as z from 'zod';
import { email } from './accounts.ts';
import type { CallTable, Output } from './call.ts';
import { next, sessionAnswer, token } from './account-schemas.ts';
import { id, line, moment } from './schemas.ts';

const bytes = z.string().regex(/^[\w-]+$/);
const credential = z.strictObject({
  id: bytes,
  type: z.literal('public-key'),
  transports: z.array(z.string()),
});

const creationOptions = z.strictObject({
  challenge: bytes,
  rp: z.strictObject({ id: z.string(), name: z.string() }),
  user: z.strictObject({ id: bytes, name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.strictObject({ type: z.literal('public-key'), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal('none'),
  excludeCredentials: z.array(credential),
  authenticatorSelection: z.strictObject({
    residentKey: z.literal('required'),
    requireResidentKey: z.literal(true),
    userVerification: z.literal('required'),
  }),
});
export type CreationOptions = Output<typeof creationOptions>;

export const requestOptions = z.strictObject({
  challenge: bytes,
  rpId: z.string(),
  timeout: z.int(),
  userVerification: z.literal('required'),
  /** Absent if any passkey of this site is allowed. */
  allowCredentials: z.array(credential).optional(),
});
export type RequestOptions = Output<typeof requestOptions>;

const part = z.string().min(1).max(8_192);
const credentialId = z.string().min(1).max(2_048);

export const newCredential = z.strictObject({
  id: credentialId,
  clientDataJSON: part,
  attestationObject: part,
  transports: z.array(z.string().max(20)).max(10).optional(),
});
export type NewCredential = Output<typeof newCredential>;

/** A device's signature, which proves that it has the passkey. */
export const assertion = z.strictObject({
  id: credentialId,
  clientDataJSON: part,
  authenticatorData: part,
  signature: part,
  userHandle: z.string().max(256).optional(),
});
export type Assertion = Output<typeof assertion>;

export const passkey = z.strictObject({
  _id: id,
  credentialId: bytes,
  name: z.string(),
  addedAt: moment,
  lastUsedAt: moment.nullable(),
});
export type Passkey = Output<typeof passkey>;

/** Recovery codes. They are shown only once. */
const recoveryCodes = z.array(z.string());

export const passkeyCalls = {
  'GET /auth/passkeys': {
    about: "Lists the caller's own passkeys, and says how many recovery codes are left.",
    who: 'account',
    answer: z.strictObject({ passkeys: z.array(passkey), recoveryCodesLeft: z.int() }),
  },
  'POST /auth/passkeys/options': {
    about: "Returns the options for creating a passkey. The caller's email must be verified.",
    who: 'account',
    confirmed: true,
    answer: creationOptions,
    problems: [409],
  },
  'POST /auth/passkeys': {
    about: 'Adds a passkey that a device has just created. The first passkey comes with ten recovery codes.',
    who: 'account',
    confirmed: true,
    audited: 'passkeyAdded',
    body: z.strictObject({ credential: newCredential }),
    answer: z.strictObject({ passkey, recoveryCodes }),
    status: 201,
    problems: [409],
  },
  'PUT /auth/passkeys/:id': {
    about: "Renames one of the caller's own passkeys.",
    who: 'account',
    body: z.strictObject({ name: line('Please give it a name.', 60) }),
    answer: passkey,
  },
  'DELETE /auth/passkeys/:id': {
    about: "Removes one of the caller's own passkeys. Removing the last one deletes the recovery codes.",
    who: 'account',
    confirmed: true,
    audited: 'passkeyRemoved',
    problems: [409],
  },
  'POST /auth/recovery-codes': {
    about: 'Creates ten recovery codes, which replace the earlier ones. They are shown only once.',
    who: 'account',
    confirmed: true,
    audited: 'recoveryCodes',
    answer: z.strictObject({ recoveryCodes }),
    status: 201,
    problems: [409],
  },
  'GET /auth/passkey/options': {
    about: 'Returns the options for signing in with a passkey.',
    who: 'anyone',
    answer: requestOptions,
    problems: [409, 429],
  },
  'POST /auth/passkey': {
    about: 'Signs the caller in with a passkey.',
    who: 'anyone',
    body: z.strictObject({ assertion }),
    answer: sessionAnswer,
    problems: [401, 429],
  },
  'POST /auth/recovery': {
    about: 'Signs the caller in with a recovery code. Each code works once.',
    who: 'anyone',
    accepts: 'form',
    body: z.strictObject({ email, code: line('Please enter a code.', 100), next }),
    answer: sessionAnswer,
    problems: [401, 429],
  },
  'POST /auth/invitation/options': {
    about: 'Returns the options for creating a passkey with an invitation.',
    who: 'anyone',
    body: z.strictObject({ token }),
    answer: creationOptions,
    problems: [409, 429],
  },
} as const satisfies CallTable;
