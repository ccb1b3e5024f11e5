// @ts-check
import react from '@astrojs/react';
import { fileURLToPath } from 'node:url';

const serverEntrypoint = fileURLToPath(new URL('./react-server.ts', import.meta.url));

/**
 * React for the pages: @astrojs/react, with our own server half (react-server.ts).
 * @returns {import('astro').AstroIntegration}
 */
export function reactSections() {
  const { name, hooks } = react();
  return {
    name,
    hooks: {
      ...hooks,
      'astro:config:setup': (options) =>
        hooks['astro:config:setup']?.({
          ...options,
          addRenderer: (renderer) => options.addRenderer({ ...renderer, serverEntrypoint }),
        }),
    },
  };
}
