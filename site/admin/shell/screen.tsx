/** What every screen of the administrator has: its frame, its address, and the panels on it. */
import { LoadedScreen as Loaded, type LoadedScreenProps } from '#site/app/loaded-screen.tsx';
import type { SectionName } from '#contract/sections/index.ts';
import { Card, type CardProps } from '#site/ui/card.tsx';
import { Fold } from '#site/ui/fold.tsx';
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
export const Panel = (props: CardProps & { readonly title: string }) => <Card {...props} />;

interface FoldedPanelProps extends Pick<CardProps, 'aside' | 'children'> {
  readonly title: string;
  /** Opens the panel as soon as it is true. */
  readonly isNeeded?: boolean;
}

/** A panel that is folded until it is needed. A press on its heading opens it. */
export const FoldedPanel = ({ title, aside, isNeeded = false, children }: FoldedPanelProps) => (
  <Card className={css['folded'] ?? ''}>
    <Fold
      isNeeded={isNeeded}
      summary={
        <>
          <h2 className={css['title']}>{title}</h2>
          {aside}
        </>
      }
    >
      <div className={css['body']}>{children}</div>
    </Fold>
  </Card>
);
