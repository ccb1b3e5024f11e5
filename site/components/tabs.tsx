/** Tabs after the ARIA pattern: arrow keys move, one tab stop, the panel is named by its tab. */
import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import css from './tabs.module.css';

export interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: ReactNode;
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  const [chosenId, setChosenId] = useState(tabs[0]?.id);
  const prefix = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosenIndex = Math.max(
    0,
    tabs.findIndex(({ id }) => id === chosenId),
  );
  const chosen = tabs[chosenIndex];

  function moveFocus(event: KeyboardEvent) {
    const last = tabs.length - 1;
    const targets: Readonly<Record<string, number>> = {
      ArrowRight: chosenIndex === last ? 0 : chosenIndex + 1,
      ArrowLeft: chosenIndex === 0 ? last : chosenIndex - 1,
      Home: 0,
      End: last,
    };
    const target = targets[event.key];
    if (target === undefined) return;
    event.preventDefault();
    setChosenId(tabs[target]?.id);
    list.current?.querySelectorAll('button')[target]?.focus();
  }

  return (
    <div className={css['tabs']}>
      <div ref={list} className={css['list']} role="tablist" aria-label={label}>
        {tabs.map((tab) => (
          <button
            key={tab.id}
            type="button"
            role="tab"
            id={`${prefix}${tab.id}`}
            className={css['tab']}
            aria-selected={tab === chosen}
            aria-controls={`${prefix}panel`}
            tabIndex={tab === chosen ? 0 : -1}
            onKeyDown={moveFocus}
            onClick={() => {
              setChosenId(tab.id);
            }}
          >
            {tab.label}
          </button>
        ))}
      </div>
      {chosen && (
        <div id={`${prefix}panel`} role="tabpanel" aria-labelledby={`${prefix}${chosen.id}`}>
          {chosen.content}
        </div>
      )}
    </div>
  );
}
