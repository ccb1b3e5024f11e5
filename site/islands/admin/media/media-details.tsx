/** What a picture of the library shows, and where its subject stands: for every place where the picture is used. */
import { useState } from 'react';
import { focusPositions } from '#contract/media.ts';
import { sectionNamed } from '#contract/sections/index.ts';
import { Button } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { WhenLoaded } from '#site/islands/shared/failure.tsx';
import { useLoaded } from '#site/islands/shared/use-loaded.ts';
import { useUnsavedGuard } from '#site/islands/shared/use-unsaved-guard.ts';
import { readRecord, updateRecord, versioned, type VersionedRecord } from '../content-calls.ts';
import { checkValues } from '../editor/check-values.ts';
import { useVersionedDraft } from '../editor/use-versioned-draft.ts';
import { usePublish } from '../publishing.tsx';
import css from './media-details.module.css';

const { alt, focus } = sectionNamed('media').fields;
const labels = { alt: alt?.label ?? '', focus: focus?.label ?? '' };

export default function MediaDetails({
  id,
  isOpen,
  onSaved,
}: {
  readonly id: string;
  /** Whether it stands open at first, as after an upload. */
  readonly isOpen: boolean;
  readonly onSaved?: () => void;
}) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget }) => setWasOpened((opened) => opened || currentTarget.open)}
    >
      <summary className={css['summary']}>Description and focus of the picture</summary>
      {wasOpened && <LoadedDetails id={id} onSaved={onSaved} />}
    </details>
  );
}

type OnSaved = { readonly onSaved: (() => void) | undefined };

function LoadedDetails({ id, onSaved }: OnSaved & { readonly id: string }) {
  const loaded = useLoaded(id, (signal) => readRecord('media', id, signal));
  return (
    <WhenLoaded loaded={loaded} lines={2}>
      {(start) => <DetailsForm start={start} onSaved={onSaved} />}
    </WhenLoaded>
  );
}

/** It stands inside the form of a record, so it is saved by its own button, and is no form. */
function DetailsForm({ start, onSaved }: OnSaved & { readonly start: VersionedRecord }) {
  const publish = usePublish();
  const id = start.record._id;
  const { draft, isDirty, save } = useVersionedDraft({
    labels,
    start,
    check: (values) => checkValues('media', values),
    read: () => readRecord('media', id),
    update: async (values, etag) => versioned(await publish(() => updateRecord('media', id, values, etag))),
    onSaved: () => onSaved?.(),
  });
  const { values, errors, error, isBusy, setValue } = draft;
  useUnsavedGuard(isDirty);
  return (
    <div className={css['details']}>
      <Field
        id={`alt-${id}`}
        name="alt"
        label={labels.alt}
        help={alt?.help}
        value={values['alt'] ?? ''}
        error={errors['alt'] ?? error?.message}
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

/** In the order in which they stand in the picture. */
const grid = (['top', '', 'bottom'] as const).map((row) =>
  (['left', '', 'right'] as const).map((column) => {
    const name = [row, column].filter((part) => part !== '').join(' ') || 'center';
    return focusPositions.find((position) => position === name) ?? 'center';
  }),
);

function FocusField({
  id,
  value,
  onChange,
}: {
  readonly id: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
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
      <p className={css['note']}>{focus?.help}</p>
    </fieldset>
  );
}
