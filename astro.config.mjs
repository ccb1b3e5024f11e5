// @ts-check
import { createHash } from 'node:crypto';
import { join, relative } from 'node:path';
import { defineConfig, passthroughImageService } from 'astro/config';
import { islandDirectives } from './site/directives/integration.mjs';
import { workerRenderer } from './site/renderer/adapter.mjs';
import { reactSections } from './site/renderer/react.mjs';

/**
 * The pages are built twice. `static` pre-renders every page to a file, which is deployed with the Worker. `worker` compiles
 * the content pages to a module with which the Worker renders them at every save.
 */
const target = process.env['BUILD_TARGET'] === 'worker' ? 'worker' : 'static';
const buildDir = process.env['BUILD_DIR'] ?? '.';
const siteUrl = (process.env['SITE_URL'] ?? 'http://localhost:8787').replace(/\/$/, '');

/** The style sheet and class of each short name. @type {Map<string, string>} */
const named = new Map();

/**
 * Creates the short name of a class or an animation. Short names keep pages small, because each page contains its styles.
 * Both builds must create the same name, so it consists of a hash of the style sheet's path and the position in the sheet.
 * @param {string} name the name in the style sheet
 * @param {string} file the path of the style sheet
 * @param {string} css the text of the style sheet
 * @throws if two classes get the same short name
 */
function classNameOf(name, file, css) {
  const path = relative(import.meta.dirname, file.replace(/\?.*$/, ''));
  const sheet = createHash('sha256').update(path).digest().readUInt32BE().toString(36).slice(-4);
  const place = css.search(new RegExp(`(?:\\.|@keyframes\\s+)${name}(?![\\w-])`));
  const short = `_${sheet}${place.toString(36)}`;
  const whole = `${path} ${name}`;
  if ((named.get(short) ?? whole) !== whole)
    throw new Error(`${whole} and ${named.get(short) ?? ''} get one class name.`);
  named.set(short, whole);
  return short;
}

/**
 * Removes the React keys of Lucide's icons: six random letters for each line, which do not compress. The lines of an icon
 * never change their order, so they need no keys.
 * @type {import('vite').Plugin}
 */
const iconsWithoutKeys = {
  name: 'icons-without-keys',
  transform: {
    filter: { id: /\/lucide-react\/dist\/esm\/icons\// },
    handler: (code) => ({ code: code.replace(/,\s*key: "[^"]*"/g, ''), map: null }),
  },
};

/**
 * Removes the streaming renderer of `react-dom/server`. Pages are rendered to strings, and the Worker's bundle is 38 kB
 * smaller compressed.
 * @type {import('vite').Plugin}
 */
const withoutStreams = {
  name: 'react-without-streams',
  load: {
    filter: { id: /\/react-dom-server\.edge\.production\.js$/ },
    handler: () => 'module.exports = {};',
  },
};

/**
 * Leaves the contract out of the compiled pages. They import it from the project, and share it with the Worker.
 * @type {import('vite').Plugin}
 */
const withoutContract = {
  name: 'pages-without-contract',
  enforce: 'pre',
  applyToEnvironment: ({ name }) => name === 'ssr',
  resolveId: {
    filter: { id: /^#contract\// },
    handler: (id) => ({ id: join(import.meta.dirname, 'worker', id.slice(1)), external: 'absolute' }),
  },
};

export default defineConfig({
  site: siteUrl,
  srcDir: './site',
  publicDir: './site/public',
  outDir: target === 'static' ? `${buildDir}/dist` : `${buildDir}/.renderer`,
  cacheDir: `${buildDir}/.astro-cache/${target}`,
  output: target === 'static' ? 'static' : 'server',
  build: { format: 'preserve', inlineStylesheets: 'always' },
  compressHTML: true,
  // Nothing is resized at build, so the bundles do not need Astro's image service.
  image: {
    service: passthroughImageService(),
    endpoint: { route: '/_image', entrypoint: './site/renderer/no-images.ts' },
  },
  devToolbar: { enabled: false },
  integrations: [reactSections(), islandDirectives()],
  ...(target === 'worker' && { adapter: workerRenderer() }),
  vite: {
    cacheDir: `${buildDir}/.astro-cache/vite-${target}`,
    css: { modules: { generateScopedName: classNameOf } },
    define: {
      'import.meta.env.SITE_URL': JSON.stringify(siteUrl),
      'process.env.NODE_ENV': JSON.stringify('production'),
      'import.meta.env.STATIC_BUILD': JSON.stringify(target === 'static'),
    },
    build: { sourcemap: false },
    environments: {
      client: {
        build: {
          // The oldest supported browsers. The linter forbids newer functions (.oxlintrc.json).
          target: ['chrome111', 'edge111', 'firefox114', 'safari16.4', 'ios16.4'],
          rolldownOptions: {
            output: {
              // Files name the files that they import, so shared files have short names.
              chunkFileNames: ({ isDynamicEntry }) =>
                isDynamicEntry ? '_astro/[name].[hash].js' : '_astro/s.[hash:7].js',
            },
          },
        },
      },
    },
    plugins: [iconsWithoutKeys, ...(target === 'worker' ? [withoutStreams, withoutContract] : [])],
    // The compiled pages run in workerd. They contain all packages except zod, which the Worker's bundle has.
    ...(target === 'worker' && {
      ssr: {
        noExternal: true,
        external: ['zod'],
        resolve: { conditions: ['workerd', 'worker', 'module', 'production'] },
      },
    }),
  },
});
