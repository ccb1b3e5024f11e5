/** The description and focal point of a library picture, for every place that uses it. */
import { useEffect, useEffectEvent, useRef, useState, type RefObject } from 'react';
import { focusPositions } from '#contract/media.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { Button } from '#site/ui/button.tsx';
import { Field } from '#site/ui/field.tsx';
import { QueryBoundary } from '#site/app/query-boundary.tsx';
import { isComposing } from '#site/ui/is-composing.ts';
import { useReadOnce } from '#site/app/query.ts';
import { useUnsavedGuard } from '#site/app/use-unsaved-guard.ts';
import { callOf, readRecord, updateRecord, versioned, type VersionedRecord } from '../content-calls.ts';
import { ConflictPanel } from '../editor/conflict-panel.tsx';
import { DraftRecovery } from '../editor/draft-recovery.tsx';
import { isSaveKey } from '../editor/edit-form.tsx';
import { LazyDetails } from '../editor/lazy-details.tsx';
import { useServerDrafts } from '../editor/server-drafts.ts';
import { useRecordDraft } from '../editor/use-record-draft.ts';
import { publish } from '#site/admin/shell/publishing.tsx';
import { useSavedWithForm } from './unsaved-details.ts';
import { stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import css from './media-details.module.css';

const { alt, focus } = sectionNamed('media').fields;
const labels = { alt: alt?.label ?? '', focus: focus?.label ?? '' };

interface MediaDetailsProps {
  readonly id: string;
  /** Whether it is expanded at first, for example after an upload. */
  readonly isOpen: boolean;
}

export default function MediaDetails({ id, isOpen }: MediaDetailsProps) {
  // Expanded as soon as unsaved values are known, and not collapsed when they are saved.
  const isKept = useServerDrafts().some(({ section, recordId }) => section === 'media' && recordId === id);
  const [isNeeded, setIsNeeded] = useState(isOpen);
  if (isKept && !isNeeded) setIsNeeded(true);
  return (
    <LazyDetails isOpen={isNeeded} isSmall summary="Description and focus of the picture">
      <LoadedDetails id={id} />
    </LazyDetails>
  );
}

function LoadedDetails({ id }: { readonly id: string }) {
  const query = useReadOnce(callOf('media', 'read'), { id });
  return (
    <QueryBoundary query={query} lines={2}>
      {(start) => <DetailsForm start={versioned(start)} />}
    </QueryBoundary>
  );
}

/** The description form. Its text is stored and recovered like any record's form. */
function useDescription(start: VersionedRecord) {
  const id = start.record._id;
  const isSaved = useRef(false);
  const { versions, offer } = useRecordDraft({
    name: 'media',
    labels,
    start,
    read: () => readRecord('media', id),
    update: async (values, etag, draftId) =>
      versioned(await publish(() => updateRecord('media', id, values, etag, draftId))),
    onSaved() {
      isSaved.current = true;
    },
  });
  async function saveWithForm() {
    isSaved.current = false;
    await versions.save();
    return isSaved.current;
  }
  return { versions, saveWithForm, offer };
}

/** Enter and Ctrl/Cmd+S inside an area save only that area, not the form around it. */
function useSaveAreaByKey(
  area: RefObject<HTMLElement | null>,
  isDirty: boolean,
  save: () => Promise<void>,
): void {
  const saveByKey = useEffectEvent((event: KeyboardEvent) => {
    const isEnter = event.key === 'Enter' && event.target instanceof HTMLInputElement && !isComposing(event);
    if (!isEnter && !(isDirty && isSaveKey(event))) return;
    event.preventDefault();
    if (isDirty) void save();
  });
  useEffect(() => {
    const { current: element } = area;
    element?.addEventListener('keydown', saveByKey);
    return () => element?.removeEventListener('keydown', saveByKey);
  }, [area]);
}

/**
 * This can be inside a record's form, so it is not a `<form>`. The record's form saves it, and so do its own button and
 * keys.
 */
function DetailsForm({ start }: { readonly start: VersionedRecord }) {
  const { versions, saveWithForm, offer } = useDescription(start);
  const { draft, isDirty, save, resumeDraft } = versions;
  const { values, errors, error, isBusy, setValue } = draft;
  const id = start.record._id;
  useUnsavedGuard(isDirty);

  const area = useRef<HTMLDivElement>(null);
  useSaveAreaByKey(area, isDirty, save);
  useSavedWithForm(area, isDirty, saveWithForm);

  return (
    <div ref={area} className={stack(3, css['details'])}>
      <ConflictPanel {...versions} section="media" />
      <DraftRecovery offer={offer} onContinue={resumeDraft} />
      <Field
        id={`alt-${id}`}
        name="alt"
        label={labels.alt}
        help={alt?.help}
        value={values['alt'] ?? ''}
        // Otherwise empty, because an error of the surrounding form may be about a field with the same name.
        error={errors['alt'] ?? error?.message ?? ''}
        onChange={({ target }) => setValue('alt', target.value)}
      />
      <FocusField id={id} value={values['focus'] ?? ''} onChange={(value) => setValue('focus', value)} />
      {isDirty && (
        <Button variant="secondary" size="small" busy={isBusy} onClick={() => void save()}>
          Save description and focus
        </Button>
      )}
    </div>
  );
}

/** In their order within the picture. */
const grid = (['top', '', 'bottom'] as const).map((row) =>
  (['left', '', 'right'] as const).map((column) => {
    const name = [row, column].filter((part) => part !== '').join(' ') || 'center';
    return focusPositions.find((position) => position === name) ?? 'center';
  }),
);

interface FocusFieldProps {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

function FocusField({ id, value, onChange }: FocusFieldProps) {
  return (
    <fieldset className={css['focus']}>
      <legend>{labels.focus}</legend>
      {grid.flat().map((position) => (
        <label key={position} className={css['position']}>
          <input
            type="radio"
            name={`focus-${id}`}
            checked={position === value}
            onChange={() => onChange(position)}
          />
          <span className="visually-hidden">{position}</span>
        </label>
      ))}
      <p className={classNames('note', css['note'])}>{focus?.help}</p>
    </fieldset>
  );
}
