/** Fetches the button that puts a change into a release, where it stands only once there is a change. */
import type { ComponentType } from 'react';
import type { AddToReleaseProps } from './add-to-release.tsx';

/** Where it cannot be fetched the form goes on without it: what was typed must stay. */
export const loadAddToRelease = (): Promise<{ readonly default: ComponentType<AddToReleaseProps> }> =>
  import('./add-to-release.tsx').then(
    ({ AddToRelease }) => ({ default: AddToRelease }),
    () => ({ default: () => null }),
  );
