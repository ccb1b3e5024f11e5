/** Placeholders while something loads. They appear only after 300 ms, so that nothing flickers. */
import { classNames } from './class-names.ts';
import { row, stack } from './layout.ts';
import button from './button.module.css';
import css from './loading.module.css';

/** A spinner with a text for screen readers. With `visible`, the text is visible. */
export function Spinner({ label, visible = false }: { readonly label: string; readonly visible?: boolean }) {
  return (
    <div className={row(3, 'muted', css['spinner'])} role="status">
      <span className={classNames(button['spinner'], css['wheel'])} aria-hidden="true" />
      <span className={visible ? undefined : 'visually-hidden'}>{label}</span>
    </div>
  );
}

interface SkeletonProps {
  readonly lines?: number;
  readonly label?: string;
}

/** Gray lines in place of a text or table that is loading. */
export function Skeleton({ lines = 3, label = 'Loading' }: SkeletonProps) {
  return (
    <div className={stack(3, css['skeleton'])} role="status">
      <span className="visually-hidden">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} className={css['line']} aria-hidden="true" />
      ))}
    </div>
  );
}
