/**
 * Keeps on the server what somebody types and does not save, a moment after the last key, and offers it when they come
 * back. What is typed while something is offered is kept beside it. In the tab in which it was typed, a form goes on with it by
 * itself (typed-forms.ts).
 */
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { Draft as KeptDraft } from '#contract/drafts.ts';
import { newId } from '#contract/ids.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import type { Values } from '../content-calls.ts';
import { noteForgotten, noteKept } from './kept-drafts.ts';
import { typedIn, type FormKey } from './typed-forms.ts';
import { differs } from './use-draft.ts';

/** How long after the last key what was typed is kept, in ms. */
const settlesMs = 1_000;

/**
 * The id of the draft that a form writes: a new one, until its author goes on with one that was offered.
 * @param form goes on with what was typed into it in this tab
 */
export const useDraftId = (form?: FormKey) => useState(() => (form && typedIn(form)?.draftId) ?? newId());

export interface KeptDraftOptions {
  readonly section: SectionName;
  /** Absent for the form that adds to the section. */
  readonly recordId?: string | undefined;
  /** The version of the record from which it is typed. */
  readonly version?: number | undefined;
  /** The form before anybody types. */
  readonly base: Values;
  /** The fields that were changed. */
  readonly changed: Values;
  /** A save is under way: it forgets the draft itself. */
  readonly isBusy: boolean;
  /** The form's own draft. */
  readonly own: ReturnType<typeof useDraftId>;
}

export interface Offer {
  /** What was typed on another day or device and is not decided on, newest first. */
  readonly offered: readonly KeptDraft[];
  /** Goes on with one: the form writes it from now on, and what stood in the form before is offered in its place. */
  readonly goOnWith: (draft: KeptDraft) => void;
  readonly forget: (draft: KeptDraft) => void;
}

// What cannot be kept just now is kept with the next key; the form itself still has it.
const quietly = (call: Promise<unknown>) => void call.catch(() => undefined);

const isEmpty = (values: Values) => Object.keys(values).length === 0;

function forgetDraft(form: FormKey, draftId: string): void {
  noteForgotten(draftId);
  quietly(makeCall('DELETE /drafts', { body: { ...form, draftId } }));
}

/** Looks once for what is kept of a form. */
function useFound({ section, recordId }: FormKey, onFound: (found: readonly KeptDraft[]) => void): void {
  const tell = useEffectEvent(onFound);
  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    makeCall('GET /drafts', { query: { section, recordId: recordId ?? '' }, signal }).then(
      ({ data }) => {
        if (!signal.aborted) tell(data);
      },
      () => undefined,
    );
    return () => controller.abort();
  }, [section, recordId]);
}

export function useKeptDraft(options: KeptDraftOptions): Offer {
  const { section, recordId, version, base, changed, isBusy, own } = options;
  const [draftId, setDraftId] = own;
  const [offered, setOffered] = useState<readonly KeptDraft[]>([]);
  const isKept = useRef(false);
  /** Something that was typed is not kept yet. */
  const waits = useRef(false);
  const form = { section, ...(recordId !== undefined && { recordId }) };
  const drop = (dropped: string) => forgetDraft(form, dropped);

  function keep() {
    waits.current = false;
    isKept.current = !isEmpty(changed);
    const body = { ...form, draftId, values: changed, ...(version !== undefined && { version }) };
    if (isKept.current) {
      noteKept({ ...form, draftId });
      quietly(makeCall('PUT /drafts', { body }));
    } else drop(draftId);
  }

  const offer = (found: readonly KeptDraft[]) => {
    const others = found.filter((draft) => draft.draftId !== draftId);
    const asItIs = others.filter(({ values }) => !differs(values, base));
    for (const draft of asItIs) drop(draft.draftId);
    setOffered(others.filter((draft) => !asItIs.includes(draft)));
  };
  useFound(form, offer);

  const keepTyped = useEffectEvent(keep);
  const typed = JSON.stringify(changed);
  useEffect(() => {
    waits.current = false;
    if (typed === '{}') noteForgotten(draftId);
    if (isBusy || (typed === '{}' && !isKept.current)) return undefined;
    waits.current = true;
    const timer = setTimeout(() => keepTyped(), settlesMs);
    return () => clearTimeout(timer);
  }, [typed, isBusy, version, draftId]);
  const keepWaiting = useEffectEvent(() => {
    if (waits.current) keep();
  });
  useEffect(() => () => keepWaiting(), []);

  const without = (draft: KeptDraft) => offered.filter((other) => other !== draft);
  return {
    offered,
    goOnWith(draft) {
      const at = new Date().toISOString();
      const typedHere = { section, recordId: recordId ?? null, version: version ?? null, values: changed };
      if (!isEmpty(changed)) keep();
      setOffered(isEmpty(changed) ? without(draft) : [{ ...typedHere, draftId, at }, ...without(draft)]);
      setDraftId(draft.draftId);
      isKept.current = true;
    },
    forget(draft) {
      setOffered(without(draft));
      drop(draft.draftId);
    },
  };
}
