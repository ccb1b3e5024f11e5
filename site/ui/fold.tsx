/** Content that is folded away until somebody needs it. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './fold.module.css';

export interface FoldProps {
  /** The line that stays visible. A press on it opens and closes the rest. */
  readonly summary: ReactNode;
  /**
   * Opens the fold as soon as it is true. The fold never closes by itself, so that what somebody reads or types stays
   * in view.
   */
  readonly isNeeded?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Fold({ summary, isNeeded = false, className, children }: FoldProps) {
  const details = useRef<HTMLDetailsElement>(null);
  const [startsOpen] = useState(isNeeded);
  useEffect(() => {
    if (isNeeded && details.current) details.current.open = true;
  }, [isNeeded]);
  return (
    <details ref={details} className={classNames(css['fold'], className)} open={startsOpen}>
      <summary className={css['summary']}>{summary}</summary>
      {children}
    </details>
  );
}
