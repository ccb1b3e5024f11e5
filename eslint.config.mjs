// @ts-check
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import astro from 'eslint-plugin-astro';
import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * Creates a rule about imports. The site may import only the contract of the Worker. The contract may import only zod.
 * Production code may not import the local stand-ins in `dev/`.
 * @param {string[]} files the files that the rule applies to
 * @param {({ group: string[]; message: string } | { regex: string; message: string })[]} patterns what they may not import
 */
const boundary = (files, patterns) => ({
  files,
  rules: {
    'no-restricted-imports': /** @type {["error", { patterns: typeof patterns }]} */ ([
      'error',
      { patterns: [...patterns, climbing] },
    ]),
  },
});

/** Imports from other folders use the names of package.json (`imports`), so a path is the same in every file. */
const climbing = {
  regex: '^\\.\\./\\.\\./',
  message: 'Import from another folder by its name in package.json, such as #contract/orders.ts.',
};
const noStandIns = {
  regex: '(^#|/)(dev|tests)/',
  message: 'Production code never imports a local stand-in or a test.',
};

const notTheSite = {
  regex: '^#site/|/site/',
  message: 'The Worker does not import the site. It renders the compiled pages.',
};

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
if (unlisted) throw new Error(`Give worker/${unlisted.name} its place in \`layers\` in eslint.config.mjs.`);

/** @param {number} index the index of a folder in `layers` */
const upwards = (index) => {
  const above = layers.slice(index + 1);
  return above.length === 0
    ? []
    : [
        {
          regex: `^(\\.\\./|#worker/)(${above.join('|')})/`,
          message: `A folder of the Worker may import only from folders before it: ${layers.join(', ')}.`,
        },
      ];
};

const contractOnly = {
  regex: '^#worker/(?!content/reader\\.ts$)|/worker/',
  message: 'The site may import only the contract of the Worker.',
};

/** The folders of the site, lowest layer first. The top folders may import from all layers but not from one another. */
const siteLayers = ['ui', 'app', 'features', 'account'];
const siteTops = ['contact', 'customer', 'checkout', 'admin'];

/** @param {string} folder a folder of the site @returns what it may not import */
const upwardsInSite = (folder) => {
  const index = siteLayers.indexOf(folder);
  const above = [
    ...(index < 0 ? [] : siteLayers.slice(index + 1)),
    ...siteTops.filter((top) => top !== folder),
    'pages',
    'layouts',
  ];
  return {
    regex: `^(\\.\\./|#site/)(${above.join('|')})/`,
    message: `A folder of the site may import only from folders before it: ${siteLayers.join(', ')}, then one of ${siteTops.join(', ')}.`,
  };
};

/** @param {string} regex what a file of the contract may not import */
const plainData = (regex) => ({ regex, message: 'The contract is plain data. It may import only zod.' });

/**
 * Code in `site/` does not contain the paths of screens and calls. Paths of files are allowed: they contain a dot
 * (`/favicon.svg`) or begin with `/images/`.
 */
const typedPath = String.raw`\u002F(?!images\u002F)[a-zA-Z#?][^.]*`;
const placesOfLinks =
  ":matches(JSXAttribute, JSXExpressionContainer, Property[key.name='href'], CallExpression[callee.object.name='location'])";
const noTypedPaths = [
  `Literal[value=/^${typedPath}$/]`,
  `TemplateElement[value.raw=/^${typedPath}$/]`,
  `${placesOfLinks} > Literal[value='/']`,
].map((selector) => ({
  selector,
  message: 'Link to a screen with linkTo, linkToHome or linkToRecord, and to a call with callAddress.',
}));

/** Functions that Safari 16.4, Chrome 111 or Firefox 114 lack. The site supports these browsers. */
const newerInBrowsers = {
  'no-restricted-properties': /** @type {["error", ...object[]]} */ ([
    'error',
    ...[
      'toSorted',
      'toReversed',
      'toSpliced',
      'withResolvers',
      'groupBy',
      'isWellFormed',
      'toWellFormed',
    ].map((property) => ({
      property,
      message: 'Safari 16.4 or Firefox 114 lacks it.',
    })),
    { object: 'URL', property: 'parse', message: 'Safari before 18 lacks it. Use parseUrl.' },
    { object: 'URL', property: 'canParse', message: 'Safari before 17 lacks it. Use parseUrl.' },
    { object: 'AbortSignal', property: 'any', message: 'Safari before 17.4 lacks it.' },
    { object: 'Promise', property: 'try', message: 'Safari before 18.2 lacks it.' },
  ]),
};

/**
 * Limits the length of functions. Comments and blank lines do not count. The routes.ts files are exempt, because they
 * contain tables of calls.
 * @param {number} max the number of lines
 */
const functionsUpTo = (max) => ({
  'max-lines-per-function': /** @type {["error", object]} */ ([
    'error',
    { max, skipBlankLines: true, skipComments: true },
  ]),
});

const ignored = {
  ignores: [
    'node_modules',
    'dist',
    '.renderer',
    '.astro',
    '.data*',
    '**/.wrangler',
    'migrations/*.cjs',
    '**/*.d.ts',
  ],
};

/** The rules that need types and those of React are in `.oxlintrc.json`: oxlint needs a third of ESLint's time for them. */
export default defineConfig(
  ignored,
  {
    files: ['**/*.{ts,tsx,mjs}'],
    extends: [...tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      'no-console': 'off',
    },
  },
  {
    files: ['{worker,site,deploy,dev}/**/*.ts'],
    ignores: ['worker/*/{,*-}routes.ts', '**/*.test.ts'],
    rules: functionsUpTo(60),
  },
  {
    files: ['{site,worker/contract}/**/*.{ts,tsx}'],
    ignores: ['site/{renderer,seo}/**', '**/*.test.{ts,tsx}'],
    rules: newerInBrowsers,
  },
  { files: ['dev/stripe/**/*.ts'], ignores: ['**/*.test.ts'], rules: functionsUpTo(70) },
  { files: ['site/**/*.tsx'], ignores: ['**/*.test.tsx'], rules: functionsUpTo(80) },
  { ...jsxA11y.configs.strict, files: ['**/*.tsx'] },
  ...astro.configs.recommended,
  boundary(['worker/**/*.ts'], [noStandIns, notTheSite]),
  {
    files: ['worker/**/*.ts'],
    ignores: ['worker/http/redirect.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: "MemberExpression[property.name='redirect']",
          message: 'Redirect with worker/http/redirect.ts, which never leads to another site.',
        },
      ],
    },
  },
  boundary(['{dev,tests}/**/*.ts'], []),
  boundary(['deploy/**/*.ts'], [noStandIns]),
  ...layers.map((folder, index) =>
    boundary([`worker/${folder}/**/*.ts`], [noStandIns, notTheSite, ...upwards(index)]),
  ),
  {
    files: ['site/**/*.{ts,tsx,astro}'],
    ignores: ['site/**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', ...noTypedPaths] },
  },
  {
    files: ['**/*.astro/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program > :not(ImportDeclaration[specifiers.length=0])',
          message: 'The script of a page may only import a file.',
        },
      ],
    },
  },
  boundary(['worker/contract/*.ts'], [plainData('^(?!(zod|vitest)$|\\./)')]),
  boundary(['worker/contract/sections/*.ts'], [plainData('^(?!(zod|vitest)$|\\./|\\.\\./[a-z-]+\\.ts$)')]),
  boundary(['site/**/*.{ts,tsx,astro}'], [noStandIns, contractOnly]),
  ...[...siteLayers, ...siteTops].map((folder) =>
    boundary([`site/${folder}/**/*.{ts,tsx}`], [noStandIns, contractOnly, upwardsInSite(folder)]),
  ),
);
