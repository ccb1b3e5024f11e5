/** Facts about an order or a subscription. A fact without a value is left out. */
import { Fragment, type ReactNode } from 'react';
import { cluster } from '#site/ui/layout.ts';
import css from './details.module.css';

export const Details = ({
  facts,
}: {
  readonly facts: readonly (readonly [name: string, value: ReactNode])[];
}) => (
  <dl className={cluster([2, 4], css['details'])}>
    {facts
      .filter(([, value]) => Boolean(value))
      .map(([name, value]) => (
        <Fragment key={name}>
          <dt className="muted">{name}</dt>
          <dd className="multiline">{value}</dd>
        </Fragment>
      ))}
  </dl>
);
