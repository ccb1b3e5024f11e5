/** What every screen of the administrator has: its frame, its address, and the panels on it. */
import type { ReactNode } from 'react';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { WhenLoaded, type WhenLoadedProps } from '#site/app/failure.tsx';
import type { SectionName } from '#contract/sections/index.ts';
import { ScreenFrame as Frame, type ScreenFrameProps } from '#site/ui/screen-frame.tsx';
import css from './screen.module.css';

/** What the address gives to a screen of the registry. */
export interface SectionScreenProps {
  /** The id in the address; empty where the route has none. */
  readonly id: string;
  /** The sections that stand on the screen. */
  readonly sections: readonly SectionName[];
  /** The release that adds the record; empty where it is live. */
  readonly release?: string;
}

export const ScreenFrame = (props: ScreenFrameProps) => <Frame {...props} area="Admin" />;

/** The screen of one thing, once it is read; with the way back where it is not there. */
export function LoadedScreen<T>({
  loaded,
  lines = 8,
  missing: { title, why, wayBack },
  back,
  children,
  ...frame
}: Omit<ScreenFrameProps, 'children' | 'back'> &
  WhenLoadedProps<T> & {
    readonly back: NonNullable<ScreenFrameProps['back']>;
    readonly missing: { readonly title: string; readonly why: string; readonly wayBack?: string };
  }) {
  return (
    <ScreenFrame {...frame} back={back}>
      {loaded.error?.status === 404 ? (
        <EmptyState
          title={title}
          action={<LinkButton href={back.href}>{wayBack ?? `Back to ${back.label}`}</LinkButton>}
        >
          {why}
        </EmptyState>
      ) : (
        <WhenLoaded loaded={loaded} lines={lines}>
          {children}
        </WhenLoaded>
      )}
    </ScreenFrame>
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
