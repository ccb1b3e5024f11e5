/** Resolves a conflict after someone else saved first: the user chooses a value for each changed field. */
import { useId, type ReactNode } from 'react';
import { shownValue } from '#contract/section.ts';
import { sectionNamed, type SectionName } from '#contract/sections/index.ts';
import { Alert } from '#site/ui/alert.tsx';
import { Difference, Picture } from './difference.tsx';
import { LazyDetails } from './lazy-details.tsx';
import type { ConflictingField } from './record-changes.ts';
import type { Draft } from './use-draft.ts';
import type { VersionedDraft } from './use-versioned-draft.ts';
import { columns, row, stack } from '#site/ui/layout.ts';
import css from './conflict-panel.module.css';

interface Choosing extends Pick<Draft, 'values' | 'setValue'> {
  /** The section of the record; undefined for a setting. */
  readonly section?: SectionName | undefined;
}

export function ConflictPanel({
  section,
  conflict,
  draft,
}: Pick<VersionedDraft, 'conflict'> &
  Pick<Choosing, 'section'> & { readonly draft: Omit<Choosing, 'section'> }) {
  if (!conflict) return null;
  return (
    <div className={stack(4)}>
      <Alert tone="warning" title="A newer version was saved while you were editing">
        {conflict.length === 0
          ? 'It contains the same changes as yours.'
          : 'Nothing you typed is lost. For each field below, choose a version or edit it in the form. Then save.'}
      </Alert>
      <ConflictChoices section={section} fields={conflict} values={draft.values} setValue={draft.setValue} />
    </div>
  );
}

/** Both values of each field, and the chosen one. */
export function ConflictChoices({
  section,
  fields,
  values,
  setValue,
  mineLabel = 'Your version',
}: Choosing & {
  readonly fields: readonly ConflictingField[];
  /** The heading of `mine`. */
  readonly mineLabel?: string;
}) {
  // A screen can show conflicts of several records.
  const id = useId();
  const fieldOf = (name: string) => section && sectionNamed(section).fields[name];
  const isPicture = (name: string) => fieldOf(name)?.kind === 'image';
  const shown = (name: string, value: string) => shownValue(fieldOf(name), value);
  const display = (name: string, value: string) =>
    isPicture(name) && value !== '' ? <Picture address={value} /> : shown(name, value) || <em>empty</em>;
  return (
    <>
      {fields.map(({ field, label, theirs, mine, changedByBoth }) => (
        <fieldset key={field} className={stack(2)}>
          <legend className="strong">
            {label}
            {changedByBoth && <span className="note warning"> changed in both versions</span>}
          </legend>
          <div className={columns(2)}>
            <Choice
              label="Saved version"
              name={`${id}-${field}`}
              value={display(field, theirs)}
              isChosen={values[field] === theirs}
              onChoose={() => setValue(field, theirs)}
            />
            <Choice
              label={mineLabel}
              name={`${id}-${field}`}
              value={display(field, mine)}
              isChosen={values[field] === mine}
              onChoose={() => setValue(field, mine)}
            />
          </div>
          {!isPicture(field) && (
            <LazyDetails summary="Compare the two versions">
              <Difference before={shown(field, theirs)} after={shown(field, mine)} />
            </LazyDetails>
          )}
        </fieldset>
      ))}
    </>
  );
}

function Choice({
  label,
  name,
  value,
  isChosen,
  onChoose,
}: {
  readonly label: string;
  readonly name: string;
  readonly value: ReactNode;
  readonly isChosen: boolean;
  readonly onChoose: () => void;
}) {
  return (
    <label className={stack(2, css['choice'])} data-chosen={isChosen || undefined}>
      <span className={row(2, css['label'])}>
        <input type="radio" name={name} checked={isChosen} onChange={onChoose} />
        {label}
      </span>
      <span className={css['text']}>{value}</span>
    </label>
  );
}
