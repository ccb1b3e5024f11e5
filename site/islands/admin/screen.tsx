/** What every screen of the administrator has: its heading, which also names the browser's tab, and its address. */
import { useEffect, type ReactNode } from 'react';
import type { SectionName } from '#contract/sections/index.ts';
import css from './screen.module.css';

/** What the address gives to a screen of the registry. */
export interface SectionScreenProps {
  /** The id in the address; empty where the route has none. */
  readonly id: string;
  /** The sections that stand on the screen. */
  readonly sections: readonly SectionName[];
}

export interface ScreenFrameProps {
  readonly title: string;
  /** The screen that this one belongs to. */
  readonly back?: { readonly href: string; readonly label: string };
  /** A sentence below the heading. */
  readonly intro?: ReactNode;
  /** Links and buttons at the end of the heading's line. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ScreenFrame({ title, back, intro, actions, children }: ScreenFrameProps) {
  useEffect(() => {
    document.title = `${title} · Admin`;
  }, [title]);
  return (
    <div className={css['screen']}>
      <header className={css['head']}>
        <div>
          {back && (
            <a className={css['back']} href={back.href}>
              <span aria-hidden="true">←</span> {back.label}
            </a>
          )}
          <h1 className={css['title']}>{title}</h1>
          {intro !== undefined && <p className={css['intro']}>{intro}</p>}
        </div>
        {actions !== undefined && <div className={css['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}

/** A part of a screen on a surface of its own, named by its heading. */
export function Panel({
  title,
  aside,
  tone,
  children,
}: {
  readonly title: string;
  readonly aside?: ReactNode;
  /** `deep` for the one figure that a screen is opened for. */
  readonly tone?: 'deep';
  readonly children: ReactNode;
}) {
  return (
    <section className={css['panel']} data-tone={tone}>
      <div className={css['panelHead']}>
        <h2 className={css['panelTitle']}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  );
}
