/** The way of one order from its placing to its delivery. */
import { Moment } from '../shared/moment.tsx';
import type { ProgressStep } from './order-progress.ts';
import { StepState } from './steps.tsx';
import css from './progress.module.css';

export function Timeline({ steps }: { readonly steps: readonly ProgressStep[] }) {
  return (
    <ol className={css['timeline']}>
      {steps.map(({ title, state, at }, index) => (
        <li key={index} className={css['step']} data-state={state}>
          <span className={css['stepTitle']}>
            {title}
            <StepState state={state} />
          </span>
          {at !== undefined && <Moment at={at} className={css['when']} />}
        </li>
      ))}
    </ol>
  );
}
