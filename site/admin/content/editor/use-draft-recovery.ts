/**
 * Offers an unsaved draft when its author returns, even on another day or device. draft-autosave.ts saves the
 * drafts. Text that is typed while a draft is offered becomes a second draft. In the same tab, a form restores its
 * values without asking (form-store.ts).
 */
import { useEffect, useEffectEvent, useState } from 'react';
import type { Draft as StoredDraft } from '#contract/drafts.calls.ts';
import { newId } from '#contract/ids.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { useReadOnce } from '#site/app/query.ts';
import type { Values } from '../content-calls.ts';
import { continueDraft, deleteDraft } from './draft-autosave.ts';
import { typedForm } from './form-store.ts';
import type { FormKey } from './server-drafts.ts';
import { differs } from './use-draft.ts';

/** The id of the draft that a form is saved to. It changes when the author continues with an offered draft. */
export const useDraftId = (form: FormKey) => useState(() => typedForm(form)?.draftId ?? newId());

interface DraftRecoveryOptions {
  readonly section: SectionName;
  /** Undefined for the form that adds to the section. */
  readonly recordId?: string | undefined;
  /** The version of the record that is edited. */
  readonly version?: number | undefined;
  /** The initial values of the form. */
  readonly base: Values;
  readonly changed: Values;
  /** The id of this form's own draft. */
  readonly own: ReturnType<typeof useDraftId>;
}

export interface Offer {
  /** The drafts from other days or devices that the author has not decided about, newest first. */
  readonly offered: readonly StoredDraft[];
  /** Continues with a draft. The form is then saved to a new draft, and its previous values are offered instead. */
  readonly resumeDraft: (draft: StoredDraft) => void;
  readonly forget: (draft: StoredDraft) => void;
}

const isEmpty = (values: Values) => Object.keys(values).length === 0;

/** Loads the drafts of a form once. */
function useFound({ section, recordId }: FormKey, onFound: (found: readonly StoredDraft[]) => void): void {
  const { data: found } = useReadOnce('GET /drafts', { query: { section, recordId: recordId ?? '' } });
  const tell = useEffectEvent(onFound);
  useEffect(() => {
    if (found) tell(found.data);
  }, [found]);
}

export function useDraftRecovery(options: DraftRecoveryOptions): Offer {
  const { section, recordId, version, base, changed, own } = options;
  const [draftId, setDraftId] = own;
  const [offered, setOffered] = useState<readonly StoredDraft[]>([]);
  const form = { section, recordId };
  const drop = ({ draftId: dropped }: StoredDraft) => deleteDraft({ ...form, draftId: dropped });

  useFound(form, (found) => {
    const others = found.filter((draft) => draft.draftId !== draftId);
    const asItIs = others.filter(({ values }) => !differs(values, base));
    for (const draft of asItIs) drop(draft);
    setOffered(others.filter((draft) => !asItIs.includes(draft)));
  });

  const without = (draft: StoredDraft) => offered.filter((other) => other !== draft);
  return {
    offered,
    resumeDraft(draft) {
      const at = new Date().toISOString();
      const typedHere = { section, recordId: recordId ?? null, version: version ?? null, values: changed };
      setOffered(isEmpty(changed) ? without(draft) : [{ ...typedHere, draftId, at }, ...without(draft)]);
      const continued = newId();
      setDraftId(continued);
      continueDraft({ ...form, ...draft, recordId }, continued);
    },
    forget(draft) {
      setOffered(without(draft));
      drop(draft);
    },
  };
}
