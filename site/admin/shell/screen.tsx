/** What every screen of the administrator has: its frame, its address, and the panels on it. */
import type { ReactNode } from 'react';
import { LoadedScreen as Loaded, type LoadedScreenProps } from '#site/app/loaded-screen.tsx';
import type { SectionName } from '#contract/sections/index.ts';
import { ScreenFrame as Frame, type ScreenFrameProps } from '#site/ui/screen-frame.tsx';
import css from './screen.module.css';

/** What the address gives to a screen of the registry. */
export interface SectionScreenProps {
  /** The id in the address; empty where the route has none. */
  readonly id: string;
  /** The sections that stand on the screen. */
  readonly sections: readonly SectionName[];
  /** The release in which the record is edited; empty for the one that is live. */
  readonly release?: string;
}

export const ScreenFrame = (props: ScreenFrameProps) => <Frame {...props} area="Admin" />;

export const LoadedScreen = <T,>(props: LoadedScreenProps<T>) => <Loaded {...props} area="Admin" />;

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
