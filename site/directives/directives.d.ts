/** Lets `.astro` files write `client:use`. */
import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    'client:use'?: boolean;
  }
}
