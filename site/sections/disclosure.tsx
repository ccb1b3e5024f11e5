/** A heading with collapsible text for public pages. It works without a script. Screens use ui/fold.tsx. */
import type { ReactNode } from 'react';
import { Plus } from 'lucide-react';
import iconLine from './icon-line.module.css';
import css from './disclosure.module.css';

interface DisclosureProps {
  readonly title: ReactNode;
  /** Shown next to the title, or below it in small windows. */
  readonly note?: ReactNode;
  readonly children: ReactNode;
}

export function Disclosure({ title, note, children }: DisclosureProps) {
  return (
    <details className={css['item']}>
      <summary className={css['summary']}>
        <h3 className={iconLine['line']}>{title}</h3>
        {note && <span className={css['note']}>{note}</span>}
        <Plus size="1.5rem" />
      </summary>
      <div className={css['body']}>{children}</div>
    </details>
  );
}
