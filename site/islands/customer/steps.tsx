/** An order's orderSteps in a row, for a glance. */
import type { Order } from '#contract/orders.ts';
import { orderSteps, type ProgressStep } from './order-progress.ts';
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

export function OrderSteps({ order }: { readonly order: Order }) {
  return (
    <ol className={css['orderSteps']}>
      {orderSteps(order).map(({ title, state }) => (
        <li key={title} className={css['step']} data-state={state}>
          {title}
          <StepState state={state} />
        </li>
      ))}
    </ol>
  );
}
