/** All icons of the set, with a search. Loaded on demand. */
import { useState } from 'react';
import { Icon } from '#site/ui/icon.tsx';
import { iconNames } from '#site/ui/icons.ts';
import { isComposing } from '#site/ui/is-composing.ts';
import { stack } from '#site/ui/layout.ts';
import { classNames } from '#site/ui/class-names.ts';
import iconButton from '#site/ui/icon-button.module.css';
import field from '#site/ui/field.module.css';
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
      <input
        type="search"
        className={field['control']}
        aria-label="Find an icon"
        placeholder="Find an icon"
        value={wanted}
        onChange={({ target }) => setWanted(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || isComposing(event.nativeEvent)) return;
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
