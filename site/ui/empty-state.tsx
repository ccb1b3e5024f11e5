/** What a list shows before it has anything: what will appear here, and what to do for it. */
import type { ReactNode } from 'react';
import { TallyMark } from './tally-mark.tsx';
import css from './empty-state.module.css';

export interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  /** The site's mark unless another says more. */
  readonly icon?: ReactNode;
  /** A button or link that starts the first one. */
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, icon = <TallyMark />, action }: EmptyStateProps) {
  return (
    <div className={css['empty']}>
      <div className={css['icon']}>{icon}</div>
      <p className={css['title']}>{title}</p>
      {children !== undefined && <div className={css['text']}>{children}</div>}
      {action}
    </div>
  );
}
