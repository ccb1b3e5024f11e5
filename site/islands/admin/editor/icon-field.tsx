/** The field for an icon: its name may be typed, or the icon chosen from the set. */
import { useState, type ComponentProps } from 'react';
import { Button } from '#components/button.tsx';
import { Field } from '#components/field.tsx';
import { Icon } from '#components/icon.tsx';
import { iconNames } from '#components/icons.ts';
import css from './icon-field.module.css';

export interface IconFieldProps extends ComponentProps<typeof Field> {
  readonly value: string;
  readonly onChoose: (name: string) => void;
}

export function IconField({ onChoose, ...field }: IconFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const panelId = `${field.id ?? field.name}-icons`;
  return (
    <div className={css['field']}>
      <Field
        {...field}
        spellCheck={false}
        autoCapitalize="none"
        trailing={
          <Button
            variant="secondary"
            aria-expanded={isOpen}
            aria-controls={panelId}
            icon={<Icon name={field.value} />}
            onClick={() => setIsOpen(!isOpen)}
          >
            Choose
          </Button>
        }
      />
      <div id={panelId} hidden={!isOpen}>
        {isOpen && (
          <IconChoice
            label={field.label}
            chosen={field.value}
            onChoose={(name) => {
              onChoose(name);
              setIsOpen(false);
            }}
          />
        )}
      </div>
    </div>
  );
}

function IconChoice({
  label,
  chosen,
  onChoose,
}: {
  readonly label: string;
  readonly chosen: string;
  readonly onChoose: (name: string) => void;
}) {
  const [wanted, setWanted] = useState('');
  const shown = iconNames.filter((name) => name.includes(wanted.trim().toLowerCase()));
  return (
    <div role="group" aria-label={`${label}: choose`} className={css['choice']}>
      <input
        type="search"
        className={css['search']}
        aria-label="Find an icon"
        placeholder="Find an icon"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault();
          const [first] = shown;
          if (first !== undefined) onChoose(first);
        }}
      />
      <ul className={css['icons']}>
        {shown.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={css['icon']}
              aria-label={name}
              aria-pressed={name === chosen}
              title={name}
              onClick={() => onChoose(name)}
            >
              <Icon name={name} />
            </button>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p>No icon has this name.</p>}
    </div>
  );
}
