/** The steps of an order: in a column with their times, or in a row as a summary. */
import { DateTime } from './date-time.tsx';
import { classNames } from './class-names.ts';
import { cluster, stack } from './layout.ts';
import css from './timeline.module.css';

export interface TimelineStep {
  readonly title: string;
  /** `stopped` ended the order; `left` was never done. */
  readonly state: 'done' | 'current' | 'upcoming' | 'stopped' | 'left';
  /** When it happened: ISO 8601, UTC. */
  readonly at?: string;
  readonly by?: string;
  /** A comment on the step, or when it is due. */
  readonly note?: string;
}

/** A step's state for screen readers. */
const spoken: Readonly<Record<TimelineStep['state'], string>> = {
  done: 'done',
  current: 'now',
  upcoming: 'to come',
  stopped: 'ended',
  left: 'left out',
};

interface TimelineProps {
  readonly steps: readonly TimelineStep[];
  readonly inRow?: boolean;
}

export function Timeline({ steps, inRow = false }: TimelineProps) {
  return (
    <ol className={inRow ? cluster([2, 0], css['row']) : stack(0, css['column'])}>
      {steps.map(({ title, state, at, by, note }, index) => (
        <li key={index} className={css['step']} data-state={state}>
          <span className="strong">
            {title}
            <span className="visually-hidden"> ({spoken[state]})</span>
          </span>
          {at !== undefined && (
            <span className="note">
              <DateTime at={at} />
              {by !== undefined && `, ${by}`}
            </span>
          )}
          {note !== undefined && (
            <span className={classNames('multiline', css['note'])} dir="auto">
              {note}
            </span>
          )}
        </li>
      ))}
    </ol>
  );
}
