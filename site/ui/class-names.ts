/** Joins the given class names. Returns undefined if there are none, so that no empty attribute is written. */
export const classNames = (...names: readonly (string | false | null | undefined)[]): string | undefined =>
  names.filter(Boolean).join(' ') || undefined;
