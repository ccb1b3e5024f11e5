/** All icons of the set, with a search. Loaded on demand. */
import { useState } from 'react';
import { Icon } from '#site/ui/icon.tsx';
import { iconNames } from '#site/ui/icons.ts';
import { SearchField } from '#site/ui/search-field.tsx';
import { stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import iconButton from '#site/ui/icon-button.module.css';
import css from './icon-field.module.css';

export default function IconChoice({
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
    <div role="group" aria-label={`${label}: choose`} className={stack(3, css['choice'])}>
      <SearchField
        label="Find an icon"
        value={wanted}
        onChange={setWanted}
        onEnter={() => {
          const [first] = shown;
          if (first !== undefined) onChoose(first);
        }}
      />
      <ul className={css['icons']}>
        {shown.map((name) => (
          <li key={name}>
            <button
              type="button"
              className={classNames(iconButton['icon'], css['icon'])}
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
