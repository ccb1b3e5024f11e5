/** What every screen of the administrator has: its frame, its address, and the panels on it. */
import { LoadedScreen as Loaded, type LoadedScreenProps } from '#site/app/loaded-screen.tsx';
import type { SectionName } from '#contract/sections/index.ts';
import { Card, type CardProps } from '#site/ui/card.tsx';
import { ScreenFrame as Frame, type ScreenFrameProps } from '#site/ui/screen-frame.tsx';

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

export const LoadedScreen = <T,>(props: LoadedScreenProps<T>) => <Loaded {...props} area="Admin" />;

/** A part of a screen on a surface of its own, named by its heading. */
export const Panel = (props: CardProps & { readonly title: string }) => <Card {...props} />;
