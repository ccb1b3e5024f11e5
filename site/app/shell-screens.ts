/** How a shell's island finds its screen: a component for each screen, and the screen at the current URL. */
import type { FunctionComponent } from 'react';
import {
  screenFinder,
  screensOf,
  type ScreenName,
  type ScreensOf,
  type ShellName,
  type ShowsRecord,
} from '#contract/screens.ts';

/** A component gets the id from the URL if its screen's pattern has one. Otherwise, it gets nothing. */
type ScreenProps<N extends ScreenName> = ShowsRecord<N> extends true ? { readonly id: string } : object;

/** A component for every screen of a shell. A missing component, or one without a screen, does not compile. */
export type ScreenComponents<K extends ShellName> = {
  readonly [N in ScreensOf<K>]: FunctionComponent<ScreenProps<N>>;
};

/** The screen at the document's URL, which does not change while a script runs; undefined if the shell has none. */
export function screenHere<K extends ShellName>(shell: K, components: ScreenComponents<K>) {
  const found = screenFinder(screensOf(shell))(location.pathname);
  if (!found) return undefined;
  const Shown: FunctionComponent<{ readonly id: string }> = components[found.screen.name];
  return { Shown, id: found.id };
}
