/** Forbids circular imports, and code of signed-in screens on public pages. */

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-query-client-in-public',
      comment: 'Only signed-in screens load the query client.',
      severity: 'error',
      from: {
        path: '^site/(contact|sections|checkout/pay|features/pay)/|^site/account/enhance-forms',
        pathNot: '[.]test[.]tsx?$',
      },
      to: { path: 'node_modules/@tanstack/', reachable: true },
    },
  ],
  options: {
    // A circle of type imports counts, too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
