/** Where the focus goes when the pressed element disappears. */

/** Moves the focus to the heading of the surface or screen around an element, where a keyboard user can continue. */
export function focusHeading(within: Element | null): void {
  // What is behind an open dialog takes no focus.
  within?.closest('dialog')?.close();
  const heading =
    within?.closest('section, form:has(> h2)')?.querySelector<HTMLElement>('h2') ??
    within?.closest('header')?.querySelector('h1');
  if (!heading) return;
  heading.tabIndex = -1;
  heading.focus();
}
