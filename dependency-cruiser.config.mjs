/** Which files may import which: no cycles, folders in one direction, and only light code on public pages. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The folders of the Worker, lowest layer first. A folder may import only from folders before it. Every folder may import
 * `env.ts`. The other files of `worker/` may import from all folders.
 */
const layers = [
  'contract',
  'db',
  'http',
  'operations',
  'limits',
  'mail',
  'audit',
  'accounts',
  'notes',
  'content',
  'media',
  'orders',
  'fulfillment',
  'payments',
  'attention',
  'publishing',
  'inbox',
  'customers',
  'editing',
];

const folders = readdirSync(join(import.meta.dirname, 'worker'), { withFileTypes: true });
const unlisted = folders.find((entry) => entry.isDirectory() && !layers.includes(entry.name));
if (unlisted)
  throw new Error(`Give worker/${unlisted.name} its place in \`layers\` in dependency-cruiser.config.mjs.`);

/** The folders of the site, lowest layer first. The top folders may import from all layers but not from one another. */
const siteLayers = ['ui', 'app', 'features', 'account'];
const siteTops = ['contact', 'customer', 'checkout', 'admin'];

/**
 * @param {string} folder a folder of the site
 * @returns the folders of the site that it may not import
 */
const aboveInSite = (folder) => [
  ...(siteTops.includes(folder) ? [] : siteLayers.slice(siteLayers.indexOf(folder) + 1)),
  ...siteTops.filter((top) => top !== folder),
  'pages',
  'layouts',
];

/**
 * @param {string} name
 * @param {string} comment what is allowed instead
 * @param {{ path?: string; pathNot?: string }} from
 * @param {{ path?: string; pathNot?: string; circular?: true; reachable?: true }} to
 * @returns {import('dependency-cruiser').IForbiddenRuleType}
 */
const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    forbid('no-circular', 'No file imports itself through others.', {}, { circular: true }),
    forbid(
      'no-query-client-in-public',
      'Only signed-in screens load the query client.',
      {
        path: '^site/(contact|sections|checkout/pay|features/pay)/|^site/account/enhance-forms',
        pathNot: '[.]test[.]tsx?$',
      },
      { path: 'node_modules/@tanstack/', reachable: true },
    ),
    forbid(
      'no-stand-ins-in-production',
      'Production code never imports a local stand-in or a test.',
      { path: '^(worker|site|deploy)/' },
      { path: '^(dev|tests)/' },
    ),
    forbid(
      'contract-is-plain-data',
      'The contract is plain data. It may import only zod.',
      { path: '^worker/contract/' },
      { pathNot: '^worker/contract/|node_modules/(zod|vitest)/' },
    ),
    ...layers
      .slice(0, -1)
      .map((folder, index) =>
        forbid(
          `worker-layers-${folder}`,
          `A folder of the Worker may import only from folders before it: ${layers.join(', ')}.`,
          { path: `^worker/${folder}/` },
          { path: `^worker/(${layers.slice(index + 1).join('|')})/` },
        ),
      ),
    forbid(
      'no-site-in-worker',
      'The Worker does not import the site. It renders the compiled pages.',
      { path: '^worker/' },
      { path: '^site/' },
    ),
    forbid(
      'only-contract-in-site',
      'The site may import only the contract of the Worker.',
      { path: '^site/' },
      { path: '^worker/', pathNot: '^worker/(contract/|content/reader[.]ts$)' },
    ),
    ...[...siteLayers, ...siteTops].map((folder) =>
      forbid(
        `site-layers-${folder}`,
        `A folder of the site may import only from folders before it: ${siteLayers.join(', ')}, then one of ${siteTops.join(', ')}.`,
        { path: `^site/${folder}/` },
        { path: `^site/(${aboveInSite(folder).join('|')})/` },
      ),
    ),
  ],
  options: {
    // A cycle of type imports counts too.
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
  },
};
