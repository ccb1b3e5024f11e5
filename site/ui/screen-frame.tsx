/** The frame of every screen: its column, and its heading, which is also the title of the browser's tab. */
import { useEffect, type ReactNode } from 'react';
import { firmName } from './firm-name.ts';
import { verifiedQuery } from '#contract/account-rules.ts';
import { Alert } from '#site/ui/alert.tsx';
import { cluster, spread, stack, target } from './layout.ts';
import css from './screen-frame.module.css';

/** Whether the user has just verified their email. A reload does not repeat it. */
const comesFromVerifying = !import.meta.env.SSR && new URLSearchParams(location.search).has(verifiedQuery);
if (comesFromVerifying) history.replaceState(history.state, '', location.pathname);

export interface ScreenFrameProps {
  readonly title: string;
  /** Shown in the browser's tab after the title. */
  readonly area?: string;
  /** The screen that this one belongs to. */
  readonly back?: { readonly href: string; readonly label: string };
  readonly intro?: ReactNode;
  /** Buttons and links at the end of the heading's line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ScreenFrame({ title, area, back, intro, actions, children }: ScreenFrameProps) {
  useEffect(() => {
    document.title = [title, area, firmName()].filter(Boolean).join(' · ');
  }, [title, area]);
  return (
    <div className={stack(area === undefined ? 6 : 5)}>
      <header className={spread([3, 5], css['head'])}>
        <div className={stack(0, css['titles'])}>
          {back && (
            <a className={target(css['back'])} href={back.href}>
              <span aria-hidden="true">←</span> {back.label}
            </a>
          )}
          <h1>{title}</h1>
          {intro !== undefined && <div className={css['intro']}>{intro}</div>}
        </div>
        {actions !== undefined && <div className={cluster(2, 'screen-only')}>{actions}</div>}
      </header>
      {comesFromVerifying && (
        <Alert tone="success" title="Your email is verified">
          Thank you. You are logged in.
        </Alert>
      )}
      {children}
    </div>
  );
}

/** The main content with related information next to it, or below it if there is no room. */
export function TwoColumns({ children, aside }: { readonly children: ReactNode; readonly aside: ReactNode }) {
  return (
    <div className={stack(6, css['columns'])}>
      <div className={stack(5)}>{children}</div>
      <aside className={stack(5)}>{aside}</aside>
    </div>
  );
}
