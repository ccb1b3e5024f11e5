/**
 * `client:use`: an island hydrates when somebody first uses it, by pressing, typing or moving the focus into it. Until
 * then nothing of it is downloaded, so it has to work as plain HTML.
 */
import type { ClientDirective } from 'astro';

const uses = ['focusin', 'pointerdown', 'input'] as const;

const hydrateOnUse: ClientDirective = (load, _options, element) => {
  let start = () => {
    start = () => undefined;
    void load().then((hydrate) => hydrate());
  };
  for (const use of uses) element.addEventListener(use, () => start());
};
export default hydrateOnUse;
