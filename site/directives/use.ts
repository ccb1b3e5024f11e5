/**
 * `client:use` hydrates an island when the user first presses it, types into it, or moves the focus into it.
 * Until then, the browser downloads none of its code, so it must work as plain HTML.
 */
import type { ClientDirective } from 'astro';

const uses = ['focusin', 'pointerdown', 'input'] as const;

const hydrateOnUse: ClientDirective = (load, _options, element) => {
  // Starts once: the function replaces itself. A flag would take more bytes in the HTML of each page with a form.
  let start = () => {
    start = () => undefined;
    void load().then((hydrate) => hydrate());
  };
  for (const use of uses) element.addEventListener(use, () => start());
};
export default hydrateOnUse;
