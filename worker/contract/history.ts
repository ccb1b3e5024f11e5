/** Past saves: the versions of a record, and the publications of the site. */

export const changeActions = ['added', 'updated', 'removed', 'restored', 'reordered'] as const;
export type ChangeAction = (typeof changeActions)[number];

/** The path where anyone can read the live revision as `{ revision }`; null before the first save. */
export const revisionPath = '/revision.json';

/** Shown in place of the email in 'by …' if the account was deleted. */
export const deletedAccount = 'a deleted account';

type Values = Readonly<Record<string, string>>;

/**
 * The fields whose values differ between two versions of a record. A missing field counts as empty.
 * @param order the fields that come first
 */
export const differences = (
  before: Values,
  after: Values,
  order: readonly string[] = [],
): readonly { readonly field: string; readonly before: string; readonly after: string }[] =>
  [...new Set([...order, ...Object.keys(before), ...Object.keys(after)])]
    .map((field) => ({ field, before: before[field] ?? '', after: after[field] ?? '' }))
    .filter((change) => change.before !== change.after);
