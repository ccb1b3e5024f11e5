/** An order's stations in a row, for a glance. */
import type { Order } from '../../../worker/contract/orders.ts';
import { stations, type ProgressStep } from './order-progress.ts';
import css from './progress.module.css';

const spoken: Readonly<Record<ProgressStep['state'], string>> = {
  done: 'done',
  current: 'now',
  upcoming: 'to come',
  stopped: 'ended',
};

/** A step's state for screen readers. */
export const StepState = ({ state }: Pick<ProgressStep, 'state'>) => (
  <span className="visually-hidden"> ({spoken[state]})</span>
);

export function Stations({ order }: { readonly order: Order }) {
  return (
    <ol className={css['stations']}>
      {stations(order).map(({ title, state }) => (
        <li key={title} className={css['station']} data-state={state}>
          {title}
          <StepState state={state} />
        </li>
      ))}
    </ol>
  );
}
