/** The placeholder of an empty list: what will appear here, and what to do for it. */
import type { ReactNode } from 'react';
import { Inbox } from 'lucide-react';
import { classNames } from './class-names.ts';
import { row } from './layout.ts';
import css from './empty-state.module.css';

interface EmptyStateProps {
  readonly title: string;
  readonly children?: ReactNode;
  readonly icon?: ReactNode;
  readonly action?: ReactNode;
}

export function EmptyState({ title, children, icon = <Inbox size="1.5rem" />, action }: EmptyStateProps) {
  return (
    <div className={row([3, 4], css['empty'])}>
      <div className={css['icon']}>{icon}</div>
      <div className={classNames('muted', css['words'])}>
        <p className={css['title']}>{title}</p>
        {children}
      </div>
      {action}
    </div>
  );
}
