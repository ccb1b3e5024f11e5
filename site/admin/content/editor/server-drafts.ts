/** The forms for which the administrator has unsaved drafts on the server, from this or another device. */
import type { DraftMark } from '#contract/drafts.calls.ts';
import { api } from '#site/app/call.ts';
import { makeStore } from '#site/app/store.ts';
import type { SectionName } from '#contract/sections/index.ts';

/** Identifies a form: the form of a record, or without an id, the form that adds to the section. */
export interface FormKey {
  readonly section: SectionName;
  readonly recordId?: string | undefined;
}

export interface DraftKey extends FormKey {
  readonly draftId: string;
}

const keyOf = ({ draftId, section, recordId }: DraftMark): DraftKey => ({
  draftId,
  section,
  recordId: recordId ?? undefined,
});

const drafts = makeStore<readonly DraftKey[]>([]);

const without = (draftId: string) => drafts.get().filter((draft) => draft.draftId !== draftId);

export const addServerDraft = (draft: DraftKey): void => drafts.set([...without(draft.draftId), draft]);

export function dropServerDraft(draftId: string): void {
  const others = without(draftId);
  if (others.length < drafts.get().length) drafts.set(others);
}

export const useServerDrafts = drafts.useValue;

export const loadServerDrafts = async (): Promise<void> =>
  drafts.set((await api('GET /drafts/marks')).data.map(keyOf));
