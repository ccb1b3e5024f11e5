/**
 * No file imports another in a circle, type imports included, so that each file can be read, tested and moved with only
 * what it imports.
 */

/** Files of circles that still have to go. Remove a file from this list when its circle is gone, and add none. */
const remaining = [
  'worker/accounts/change-email.ts',
  'worker/accounts/invitations.ts',
  'worker/accounts/members.ts',
  'worker/accounts/passkeys.ts',
  'worker/accounts/personal-data.ts',
  'worker/accounts/recovery-codes.ts',
  'worker/accounts/service.ts',
  'worker/accounts/setup.ts',
  'worker/mail/email-service.ts',
  'worker/mail/resend.ts',
  'worker/mail/transport.ts',
];

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: { path: '^(worker|deploy|dev|tests|site)/', pathNot: remaining },
      to: { circular: true },
    },
  ],
  options: {
    // Type imports count, too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
