// @ts-check
import { shellNames } from '#contract/screens.ts';

const shells = new Set(shellNames.map((name) => `/shell/${name}`));

/**
 * A small Astro adapter. It compiles the pages to one module that the Worker imports, so that a save renders the same
 * pages as the static build. https://docs.astro.build/en/reference/adapter-reference/
 * @returns {import('astro').AstroIntegration}
 */
export function workerRenderer() {
  return {
    name: 'worker-renderer',
    hooks: {
      'astro:config:done': ({ setAdapter }) => {
        setAdapter({
          name: 'worker-renderer',
          entrypointResolution: 'auto',
          serverEntrypoint: new URL('./entry.ts', import.meta.url),
          supportedAstroFeatures: {
            serverOutput: 'stable',
            staticOutput: 'stable',
            sharpImageService: 'unsupported',
          },
        });
      },
      // The Worker serves the shells and all other files itself. The styles of the shells are large.
      'astro:build:ssr': ({ manifest }) => {
        manifest.assets = [];
        manifest.routes = manifest.routes.filter(({ routeData }) => !shells.has(routeData.route));
      },
    },
  };
}
