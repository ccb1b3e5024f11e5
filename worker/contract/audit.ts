/** The actions in the audit log, and their texts. */

export const auditTexts = {
  signIn: 'Logged in',
  signInFailed: 'Failed to log in or to confirm their identity',
  passwordChanged: 'Changed the password',
  passwordReset: 'Reset the password by email',
  emailChanged: 'Changed the email',
  googleLinked: 'Linked Google',
  googleUnlinked: 'Unlinked Google',
  passkeySignIn: 'Logged in with a passkey',
  passkeyAdded: 'Added a passkey',
  passkeyRemoved: 'Removed a passkey',
  passkeyRefused: 'Passkey refused as a copy',
  recoveryCodes: 'Created new recovery codes',
  recoverySignIn: 'Logged in with a recovery code',
  role: 'Changed the users',
  refund: 'Made a refund',
  discount: 'Gave a discount',
  subscription: 'Changed a subscription',
  export: 'Exported data',
  deletion: 'Deleted an account',
  removal: 'Deleted records',
  setting: 'Changed a setting',
  release: 'Changed a release',
} as const;
export type AuditAction = keyof typeof auditTexts;
export const auditActions = Object.keys(auditTexts) as [AuditAction, ...AuditAction[]];
