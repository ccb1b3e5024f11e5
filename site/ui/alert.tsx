/** A message that stays in place, such as an error, a notice or a result. */
import type { ReactNode } from 'react';
import { CircleAlert, CircleCheck, Info, TriangleAlert } from 'lucide-react';
import { classNames } from './class-names.ts';
import toneCss from './tone.module.css';
import css from './alert.module.css';

interface AlertProps {
  /** Screen readers announce `danger`, the red alert, immediately, and the others when the reader is idle. */
  readonly tone?: 'danger' | 'warning' | 'success' | 'info';
  readonly title?: string;
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Whether it is visible from the start. It then reports no event, so it is not announced. */
  readonly isStanding?: boolean;
}

const iconOf = { danger: CircleAlert, warning: TriangleAlert, success: CircleCheck, info: Info } as const;

export function Alert({ tone = 'danger', title, children, action, isStanding = false }: AlertProps) {
  const ToneIcon = iconOf[tone];
  const announced = tone === 'danger' ? 'alert' : 'status';
  return (
    <div
      className={classNames(toneCss['tone'], css['alert'])}
      data-tone={tone}
      role={isStanding ? 'note' : announced}
      // A form focuses the message that says why it was not sent.
      tabIndex={announced === 'alert' ? -1 : undefined}
    >
      <ToneIcon size="1.375rem" />
      <div className={css['body']}>
        {title !== undefined && <strong>{title}</strong>}
        {children !== undefined && <div>{children}</div>}
        {action !== undefined && <div className={css['action']}>{action}</div>}
      </div>
    </div>
  );
}
