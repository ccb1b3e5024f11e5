// @ts-check
import astro from 'eslint-plugin-astro';
import jsxA11y from 'eslint-plugin-jsx-a11y-x';
import reactHooks from 'eslint-plugin-react-hooks';
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';

/**
 * The import boundaries of the house: `site/` may use `worker/contract/` and nothing else of the Worker, the
 * contract imports nothing but zod, and nothing that ships may import the local stand-ins in `dev/`.
 * @param {string[]} files the files the rule holds for
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

/** What lies elsewhere goes by the names in package.json (`imports`), so that a path reads the same in every file. */
const climbing = {
  regex: '^\\.\\./\\.\\./',
  message: "Import from another folder by the package's own name for it, such as #contract/orders.ts.",
};
const noStandIns = {
  regex: '(^#|/)(dev|tests)/',
  message: 'Production code never imports a local stand-in or a test.',
};

const notTheSite = {
  regex: '^#site/|/site/',
  message: 'The Worker does not import the site; it renders the compiled pages.',
};

/**
 * The folders of the Worker from the ground up: each may import those before it and none after it. `env.ts` belongs to
 * the ground; the other files beside the folders stand above all.
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

/** @param {number} index a folder's place in `layers` */
const upwards = (index) => {
  const above = layers.slice(index + 1);
  return above.length === 0
    ? []
    : [
        {
          regex: `^(\\.\\./|#worker/)(${above.join('|')})/`,
          message: `The folders of the Worker import one another in one direction only: ${layers.join(', ')}.`,
        },
      ];
};

const contractOnly = {
  regex: '^#worker/(?!content/reader\\.ts$)|/worker/',
  message: 'The site knows the Worker by its contract only.',
};

/** The folders of the site from the ground up; the islands and the administration come last and stay apart. */
const siteLayers = ['ui', 'app', 'features', 'account'];
const siteTops = ['contact', 'customer', 'checkout', 'admin'];

/** @param {string} folder of the site @returns what it may not import */
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
    message: `The folders of the site import one another in one direction only: ${siteLayers.join(', ')}, then one of ${siteTops.join(', ')}.`,
  };
};

/** @param {string} regex what a file of the contract may not import */
const plainData = (regex) => ({ regex, message: 'The contract is plain data: it imports nothing but zod.' });

/**
 * No path of a screen or a call is typed as text in `site/`. Files of the site are free: they have a dot in their
 * name (`/favicon.svg`) or are below `/images/`.
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
  message: 'Link to a screen by linkTo, linkToHome or linkToRecord, and to a call by callAddress.',
}));

/** Newer than Safari 16.4, Chrome 111 and Firefox 114, in which the site works. */
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
      message: 'Safari 16.4 or Firefox 114 lack it.',
    })),
    { object: 'URL', property: 'parse', message: 'Safari before 18 lacks it: use parseUrl.' },
    { object: 'URL', property: 'canParse', message: 'Safari before 17 lacks it: use parseUrl.' },
    { object: 'AbortSignal', property: 'any', message: 'Safari before 17.4 lacks it.' },
    { object: 'Promise', property: 'try', message: 'Safari before 18.2 lacks it.' },
  ]),
};

/**
 * Comments and blank lines do not count. What the features' routes.ts mount is a table, however long it gets.
 * @param {number} max lines of a function
 */
const functionsUpTo = (max) => ({
  'max-lines-per-function': /** @type {["error", object]} */ ([
    'error',
    { max, skipBlankLines: true, skipComments: true },
  ]),
});

export default defineConfig(
  {
    ignores: [
      'node_modules',
      'dist',
      '.renderer',
      '.astro',
      '.data',
      '**/.wrangler',
      'migrations/*.cjs',
      '**/*.d.ts',
    ],
  },
  {
    files: ['**/*.{ts,tsx,mjs}'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      // There are no enums (`erasableSyntaxOnly`), and looking for them takes a tenth of the linter's time.
      '@typescript-eslint/no-unsafe-enum-assignment': 'off',
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
  { ...reactHooks.configs.flat.recommended, files: ['{site,dev/stripe/browser}/**/*.{ts,tsx}'] },
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
          message: 'Lead on by worker/http/redirect.ts, which never leads to another site.',
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
    // What a page's script imports is a file, whose types the linter reads; the script itself is none, and to read types
    // in it makes the compiler read the whole project a second time.
    files: ['**/*.astro/*.ts'],
    extends: [tseslint.configs.disableTypeChecked],
    rules: {
      'no-restricted-syntax': [
        'error',
        {
          selector: 'Program > :not(ImportDeclaration[specifiers.length=0])',
          message: "A page's script imports a file and does nothing itself.",
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
