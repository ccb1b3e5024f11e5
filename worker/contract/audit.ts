/** What the audit log tells of. */

export const auditActions = [
  'signIn',
  'signInFailed',
  'passkeySignIn',
  'passkeyAdded',
  'passkeyRemoved',
  'passkeyRefused',
  'recoveryCodes',
  'recoverySignIn',
  'role',
  'refund',
  'export',
  'deletion',
  'setting',
  'release',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditTexts: Readonly<Record<AuditAction, string>> = {
  signIn: 'Logged in',
  signInFailed: 'Failed to log in',
  passkeySignIn: 'Logged in with a passkey',
  passkeyAdded: 'Added a passkey',
  passkeyRemoved: 'Removed a passkey',
  passkeyRefused: 'Passkey refused as a copy',
  recoveryCodes: 'Made new recovery codes',
  recoverySignIn: 'Logged in with a recovery code',
  role: 'Changed the users',
  refund: 'Returned money',
  export: 'Exported data',
  deletion: 'Deleted an account',
  setting: 'Changed a setting',
  release: 'Published a release',
};
