/**
 * Keeps on the server what somebody types and does not save, a moment after the last key, and offers it when they come
 * back. While an offer stands nothing is kept, so that it cannot be overwritten.
 */
import { useEffect, useRef, useState } from 'react';
import type { Draft as KeptDraft } from '#contract/drafts.ts';
import type { SectionName } from '#contract/sections/index.ts';
import { makeCall } from '#site/islands/shared/call.ts';
import type { Values } from '../content-calls.ts';

/** How long after the last key what was typed is kept, in ms. */
const settlesMs = 1_000;

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
}

export interface Offer {
  /** What was typed on another day or device; absent where there is nothing, or it was decided. */
  readonly offered: KeptDraft | undefined;
  readonly decide: () => void;
  readonly forget: () => void;
}

// What cannot be kept just now is kept with the next key; the form itself still has it.
const quietly = (call: Promise<unknown>) => void call.catch(() => undefined);

export function useKeptDraft(options: KeptDraftOptions): Offer {
  const { section, recordId, version, base, changed, isBusy } = options;
  const [offered, setOffered] = useState<KeptDraft>();
  const [isKnown, setIsKnown] = useState(false);
  const isKept = useRef(false);
  const form = { section, ...(recordId !== undefined && { recordId }) };
  const forget = () => {
    isKept.current = false;
    quietly(makeCall('DELETE /drafts', { body: form }));
  };

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    makeCall('GET /drafts', { query: { section, recordId: recordId ?? '' }, signal }).then(
      ({ data: [found] }) => {
        if (signal.aborted) return;
        isKept.current = found !== undefined;
        const differs = Object.entries(found?.values ?? {}).some(([field, value]) => base[field] !== value);
        if (differs) setOffered(found);
        setIsKnown(true);
      },
      () => {
        if (!signal.aborted) setIsKnown(true);
      },
    );
    return () => controller.abort();
    // What the form says later is no reason to ask again.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [section, recordId]);

  const typed = JSON.stringify(changed);
  useEffect(() => {
    if (!isKnown || offered || isBusy) return undefined;
    const values = JSON.parse(typed) as Values;
    const isEmpty = Object.keys(values).length === 0;
    if (isEmpty && !isKept.current) return undefined;
    const timer = setTimeout(() => {
      if (isEmpty) forget();
      else {
        isKept.current = true;
        const body = { ...form, values, ...(version !== undefined && { version }) };
        quietly(makeCall('PUT /drafts', { body }));
      }
    }, settlesMs);
    return () => clearTimeout(timer);
    // The form's name does not change while it stands.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [typed, isKnown, offered, isBusy, version]);

  return {
    offered,
    decide: () => setOffered(undefined),
    forget: () => {
      setOffered(undefined);
      forget();
    },
  };
}
