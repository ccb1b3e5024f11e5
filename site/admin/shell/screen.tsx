/** The frame and panels that all admin screens share. */
import { LoadedScreen as Loaded, type LoadedScreenProps } from '#site/app/loaded-screen.tsx';
import type { SectionName } from '#contract/sections/index.ts';
import { Card, type CardProps } from '#site/ui/card.tsx';
import { Fold } from '#site/ui/fold.tsx';
import { ScreenFrame as Frame, type ScreenFrameProps } from '#site/ui/screen-frame.tsx';
import { stack } from '#site/ui/layout.ts';
import css from './screen.module.css';

/** The props of a section's screen, from the URL. */
export interface SectionScreenProps {
  /** The id in the URL; empty if the route has none. */
  readonly id: string;
  readonly sections: readonly SectionName[];
  /** The release in which the record is edited; empty for the live record. */
  readonly release?: string;
}

export const ScreenFrame = (props: ScreenFrameProps) => <Frame {...props} area="Admin" />;

export const LoadedScreen = <T,>(props: LoadedScreenProps<T>) => <Loaded {...props} area="Admin" />;

interface FoldedPanelProps extends Pick<CardProps, 'aside' | 'children'> {
  readonly title: string;
  /** Expands the panel as soon as it is true. */
  readonly isNeeded?: boolean;
}

/** A panel that is collapsed until it is needed. A click on its heading expands it. */
export const FoldedPanel = ({ title, aside, isNeeded = false, children }: FoldedPanelProps) => (
  <Card className={css['folded'] ?? ''}>
    <Fold
      isNeeded={isNeeded}
      summary={
        <>
          <h2 className="heading">{title}</h2>
          {aside}
        </>
      }
    >
      <div className={stack(4, css['body'])}>{children}</div>
    </Fold>
  </Card>
);
