/** Moves the focus when the pressed element disappears. */

/** The `ref` of an element that takes the focus when it appears. */
export const takeFocus = (element: HTMLElement | null): void => element?.focus();

/** Returns the heading of the dialog, surface or screen around an element, and makes it focusable. */
export function headingAround(within: Element | undefined): HTMLElement | undefined {
  if (!within) return undefined;
  const dialog = within.closest('dialog');
  const heading =
    (dialog ? dialog.querySelector('h2') : within.closest('section, form:has(> h2)')?.querySelector('h2')) ??
    within.closest('header')?.querySelector('h1') ??
    document.querySelector<HTMLElement>('main h1:not([hidden] *)');
  if (heading) heading.tabIndex = -1;
  return heading ?? undefined;
}

/** Moves the focus to the heading around an element, so that keyboard users can continue there. */
export function focusHeading(within: Element | null): void {
  // Nothing behind an open dialog can take the focus.
  const dialog = within?.closest('dialog');
  dialog?.close();
  headingAround(dialog?.parentElement ?? within ?? undefined)?.focus();
}
