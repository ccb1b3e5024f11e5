/**
 * Keeps what a visitor has typed, and the focus, if React renders an island's form again instead of hydrating it. React
 * does so in a page that the browser has translated, because the HTML is then no longer the server's
 * (https://react.dev/errors/418).
 */

/** @param focused the id of the field with the focus; empty if there is none */
const moveTyped = (from: HTMLFormElement, to: HTMLFormElement, focused: string): void => {
  for (const [name, value] of new FormData(from)) {
    const field = to.elements.namedItem(name);
    const isField = field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
    if (isField && typeof value === 'string') field.value = value;
  }
  if (focused !== '') document.getElementById(focused)?.focus();
};

/** Watches an island until its form is replaced. This script must run before the island hydrates. */
function watch(island: Element): void {
  const served = island.querySelector('form');
  if (!served) return;
  let focused = island.contains(document.activeElement) ? (document.activeElement?.id ?? '') : '';
  served.addEventListener('focusin', ({ target }) => {
    focused = target instanceof Element ? target.id : '';
  });
  new MutationObserver((_, observer) => {
    const form = island.querySelector('form');
    if (!form || form === served) return;
    observer.disconnect();
    moveTyped(served, form, focused);
  }).observe(island, { childList: true });
}

if (!import.meta.env.SSR) for (const island of document.querySelectorAll('astro-island[ssr]')) watch(island);
