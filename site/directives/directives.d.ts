/** Declares `client:use` for `.astro` files. */
import 'astro';

declare module 'astro' {
  interface AstroClientDirectives {
    'client:use'?: boolean;
  }
}
