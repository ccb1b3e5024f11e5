/**
 * No file imports another in a circle, type imports included, so that each file can be read, tested and moved with only
 * what it imports. And the public pages do not load what only signed-in screens need.
 */

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-query-client-in-public',
      comment: 'Only screens behind the sign-in load the query client.',
      severity: 'error',
      from: {
        path: '^site/(contact|sections|checkout/pay|features/pay)/|^site/account/enhance-forms',
        pathNot: '[.]test[.]tsx?$',
      },
      to: { path: 'node_modules/@tanstack/', reachable: true },
    },
  ],
  options: {
    // Type imports count, too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
