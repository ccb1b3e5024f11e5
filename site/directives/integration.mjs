// @ts-check
/**
 * Astro integration with the site's client directives.
 * @returns {import('astro').AstroIntegration}
 */
export const islandDirectives = () => ({
  name: 'island-directives',
  hooks: {
    'astro:config:setup': ({ addClientDirective }) => {
      addClientDirective({ name: 'use', entrypoint: './site/directives/use.ts' });
    },
  },
});
