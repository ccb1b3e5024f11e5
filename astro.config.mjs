// @ts-check
import { createHash } from 'node:crypto';
import { relative } from 'node:path';
import { defineConfig, passthroughImageService } from 'astro/config';
import { islandDirectives } from './site/directives/integration.mjs';
import { workerRenderer } from './site/renderer/adapter.mjs';
import { reactSections } from './site/renderer/react.mjs';

/**
 * One site, built twice from the same pages: `static` pre-renders every page to a file that is deployed with the
 * Worker, `worker` compiles the content pages into a module that the Worker renders with at every save.
 */
const target = process.env['BUILD_TARGET'] === 'worker' ? 'worker' : 'static';
const buildDir = process.env['BUILD_DIR'] ?? '.';
const siteUrl = (process.env['SITE_URL'] ?? 'http://localhost:8787').replace(/\/$/, '');

/** What each short name stands for. @type {Map<string, string>} */
const named = new Map();

/**
 * The name of a class, or of an animation, on the page: short, because each page carries its styles, and the same in both builds.
 * It names the style sheet, and the place in it where the name first stands.
 * @param {string} name as the style sheet has it
 * @param {string} file of the style sheet
 * @param {string} css the style sheet
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
 * Lucide names each line of an icon by six random letters, for React, which do not compress; lines that never change places
 * need no name.
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
 * `react-dom/server` holds a renderer that streams beside the one that answers a string. Pages are strings, so the Worker
 * goes without the other: 38 kB of its compressed size.
 * @type {import('vite').Plugin}
 */
const withoutStreams = {
  name: 'react-without-streams',
  load: {
    filter: { id: /\/react-dom-server\.edge\.production\.js$/ },
    handler: () => 'module.exports = {};',
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
  // Images are files of their own; nothing is resized at build or in the Worker, which goes without Astro's code for it.
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
          // The browsers in which the site works; the linter refuses newer functions (eslint.config.mjs).
          target: ['chrome111', 'edge111', 'firefox114', 'safari16.4', 'ios16.4'],
          rolldownOptions: {
            output: {
              // Each file names those that it needs, in a hundred files of a screen: what several share is named by its bytes alone.
              chunkFileNames: ({ isDynamicEntry }) =>
                isDynamicEntry ? '_astro/[name].[hash].js' : '_astro/s.[hash:7].js',
            },
          },
        },
      },
    },
    plugins: [iconsWithoutKeys, ...(target === 'worker' ? [withoutStreams] : [])],
    // The compiled pages run in workerd and need nothing from node_modules but zod, which the Worker has anyway.
    ...(target === 'worker' && {
      ssr: {
        noExternal: true,
        external: ['zod'],
        resolve: { conditions: ['workerd', 'worker', 'module', 'production'] },
      },
    }),
  },
});
