/** An island's screen for the document's URL. Shows a placeholder while the screen's file loads. */
import { Suspense } from 'react';
import { linkTo } from '#contract/screens.ts';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { Skeleton } from '#site/ui/loading.tsx';
import { ScreenBoundary } from './screen-boundary.tsx';
import type { screenHere } from './shell-screens.ts';

export const ShellScreen = ({ screen }: { readonly screen: ReturnType<typeof screenHere> }) =>
  screen ? (
    <ScreenBoundary>
      <Suspense fallback={<Skeleton lines={8} />}>
        <screen.Shown id={screen.id} />
      </Suspense>
    </ScreenBoundary>
  ) : (
    <EmptyState
      title="We could not find this page"
      action={<LinkButton href={linkTo('dashboard')}>Go to your dashboard</LinkButton>}
    >
      The address may be misspelled.
    </EmptyState>
  );
