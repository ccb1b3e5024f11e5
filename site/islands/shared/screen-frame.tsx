/** What the screens of customer and checkout share: a heading that also names the browser's tab, and its column. */
import { useEffect, type ReactNode } from 'react';
import css from './screen-frame.module.css';

export interface ScreenFrameProps {
  readonly title: string;
  /** A sentence below the heading. */
  readonly intro?: ReactNode;
  /** Buttons and links at the end of the heading's line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ScreenFrame({ title, intro, actions, children }: ScreenFrameProps) {
  useEffect(() => {
    document.title = title;
  }, [title]);
  return (
    <div className={css['screen']}>
      <header className={css['head']}>
        <div className={css['titles']}>
          <h1 className={css['title']}>{title}</h1>
          {intro !== undefined && <div className={css['intro']}>{intro}</div>}
        </div>
        {actions !== undefined && <div className={css['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** The thing itself, and beside it what it is about; one below the other where there is no room. */
export function TwoColumns({ children, aside }: { readonly children: ReactNode; readonly aside: ReactNode }) {
  return (
    <div className={css['columns']}>
      <div className={css['column']}>{children}</div>
      <aside className={css['column']}>{aside}</aside>
    </div>
  );
}
