/** Facts about an order or a subscription. A fact without a value is left out. */
import { Fragment, type ReactNode } from 'react';
import { cluster } from '#site/ui/layout.ts';
import typography from '#site/ui/typography.module.css';
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
          <dt className={typography['muted']}>{name}</dt>
          <dd className={typography['multiline']}>{value}</dd>
        </Fragment>
      ))}
  </dl>
);
