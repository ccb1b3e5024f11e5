/** Facts about something, as names and values. */
import type { ReactNode } from 'react';
import typography from '#site/ui/typography.module.css';
import css from './facts.module.css';

export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <div className={css['place']}>
      <dl className={css['facts']}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt className={typography['note']}>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}
