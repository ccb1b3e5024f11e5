/** Collapsible content, collapsed at first. */
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { row } from './layout.ts';
import css from './fold.module.css';

interface FoldProps {
  /** The line that is always visible. Pressing it expands or collapses the content. */
  readonly summary: ReactNode;
  /** Expands the content once it is true. It never collapses by itself, so what the user types stays visible. */
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
      <summary className={row([1, 3], css['summary'])}>{summary}</summary>
      {children}
    </details>
  );
}
