// @ts-check
/** The rules that oxlint (`.oxlintrc.json`) cannot check: those of `.astro` files, and those about syntax. */
import parser from '@typescript-eslint/parser';
import astro from 'eslint-plugin-astro';
import { defineConfig } from 'eslint/config';

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

export default defineConfig(
  ...astro.configs.recommended,
  { files: ['{site,worker}/**/*.{ts,tsx}'], languageOptions: { parser } },
  { ignores: ['**/*.d.ts'] },
  {
    files: ['site/**/*.{ts,tsx,astro}'],
    ignores: ['site/**/*.test.{ts,tsx}'],
    rules: { 'no-restricted-syntax': ['error', ...noTypedPaths] },
  },
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
  {
    files: ['site/**/*.astro'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              regex: '(^#|/)(dev|tests)/',
              message: 'Production code never imports a local stand-in or a test.',
            },
            { regex: '^#worker/|/worker/', message: 'The site may import only the contract of the Worker.' },
            {
              regex: '^\\.\\./\\.\\./',
              message: 'Import from another folder by its name in package.json, such as #contract/orders.ts.',
            },
          ],
        },
      ],
    },
  },
);
