/** What the audit log tells of. */

export const auditActions = [
  'signIn',
  'signInFailed',
  'role',
  'refund',
  'export',
  'deletion',
  'setting',
  'release',
] as const;
export type AuditAction = (typeof auditActions)[number];

export const auditTexts: Readonly<Record<AuditAction, string>> = {
  signIn: 'Signed in',
  signInFailed: 'Failed to sign in',
  role: 'Changed the users',
  refund: 'Returned money',
  export: 'Exported data',
  deletion: 'Deleted an account',
  setting: 'Changed a setting',
  release: 'Published a release',
};
