/** The verbs for the actions of a save on a record. */
import type { ChangeAction } from '#contract/history.ts';

export const actionTexts: Readonly<Record<ChangeAction, string>> = {
  added: 'added',
  updated: 'changed',
  removed: 'removed',
  restored: 'restored',
  reordered: 'moved',
};
