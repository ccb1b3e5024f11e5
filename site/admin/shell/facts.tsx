/** A list of names and values. A fact without a value is left out. */
import type { ReactNode } from 'react';
import { columns } from '#site/ui/layout.ts';
import css from './facts.module.css';

export const Facts = ({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <div className={css['place']}>
    <dl className={columns(4, css['facts'])}>
      {facts
        .filter(([, value]) => Boolean(value) || value === 0)
        .map(([name, value]) => (
          <div key={name}>
            <dt className="note">{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  </div>
);
