// @ts-check
import react from '@astrojs/react';
import { defineConfig, passthroughImageService } from 'astro/config';
import { islandDirectives } from './site/islands/directives/integration.mjs';
import { workerRenderer } from './site/renderer/adapter.mjs';

/**
 * One site, built twice from the same pages: `static` pre-renders every page to a file that is deployed with the
 * Worker, `worker` compiles the content pages into a module that the Worker renders with at every save.
 */
const target = process.env['BUILD_TARGET'] === 'worker' ? 'worker' : 'static';
const buildDir = process.env['BUILD_DIR'] ?? '.';
const siteUrl = (process.env['SITE_URL'] ?? 'http://localhost:8787').replace(/\/$/, '');

export default defineConfig({
  site: siteUrl,
  srcDir: './site',
  publicDir: './site/public',
  outDir: target === 'static' ? `${buildDir}/dist` : `${buildDir}/.renderer`,
  cacheDir: `${buildDir}/.astro-cache/${target}`,
  output: target === 'static' ? 'static' : 'server',
  build: { format: 'preserve', inlineStylesheets: 'always' },
  compressHTML: true,
  // Images are files of their own; nothing is resized at build or in the Worker.
  image: { service: passthroughImageService() },
  devToolbar: { enabled: false },
  integrations: [react(), islandDirectives()],
  ...(target === 'worker' && { adapter: workerRenderer() }),
  vite: {
    cacheDir: `${buildDir}/.astro-cache/vite-${target}`,
    define: {
      'import.meta.env.SITE_URL': JSON.stringify(siteUrl),
      'process.env.NODE_ENV': JSON.stringify('production'),
      'import.meta.env.STATIC_BUILD': JSON.stringify(target === 'static'),
    },
    build: { sourcemap: false },
    // The compiled pages are one bundle that needs nothing from node_modules and runs in workerd.
    ...(target === 'worker' && {
      ssr: { noExternal: true, resolve: { conditions: ['workerd', 'worker', 'module', 'production'] } },
    }),
  },
});
