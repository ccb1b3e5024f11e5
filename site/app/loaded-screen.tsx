/** The screen of a single record once it is loaded; the reason and a link if it does not exist. */
import { useEffect } from 'react';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { ScreenFrame, type ScreenFrameProps } from '#site/ui/screen-frame.tsx';
import { QueryBoundary, useLastError, type QueryBoundaryProps } from './query-boundary.tsx';

export interface LoadedScreenProps<T> extends Omit<ScreenFrameProps, 'children'>, QueryBoundaryProps<T> {
  readonly missing: {
    readonly title: string;
    readonly why: string;
    /** The page to link to instead; `back` by default. */
    readonly wayOn?: NonNullable<ScreenFrameProps['back']>;
  };
  /** The statuses that mean that the record does not exist. */
  readonly missingStatuses?: readonly number[];
}

export function LoadedScreen<T>(props: LoadedScreenProps<T>) {
  const { query, lines = 8, missing, missingStatuses = [404], intro, actions, children, ...frame } = props;
  const { back } = frame;
  const error = useLastError(query);
  if (!error || !missingStatuses.includes(error.status))
    return (
      <ScreenFrame {...frame} intro={intro} actions={actions}>
        <QueryBoundary query={query} lines={lines}>
          {(data) => (
            <>
              {children(data)}
              <HashTarget />
            </>
          )}
        </QueryBoundary>
      </ScreenFrame>
    );
  const wayOn = missing.wayOn ?? (back && { ...back, label: `Back to ${back.label}` });
  return (
    <ScreenFrame {...frame}>
      <EmptyState
        title={missing.title}
        action={wayOn && <LinkButton href={wayOn.href}>{wayOn.label}</LinkButton>}
      >
        {missing.why}
      </EmptyState>
    </ScreenFrame>
  );
}

/** Focuses the part that the URL's fragment names. When the browser looked for it, it was not loaded yet. */
function HashTarget() {
  useEffect(() => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    target.tabIndex = -1;
    target.focus();
  }, []);
  return null;
}
