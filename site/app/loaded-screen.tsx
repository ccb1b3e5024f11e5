/** The screen of one thing, once it is read; where it is not there, why, and a way on. */
import { useEffect } from 'react';
import { LinkButton } from '#site/ui/button.tsx';
import { EmptyState } from '#site/ui/empty-state.tsx';
import { ScreenFrame, type ScreenFrameProps } from '#site/ui/screen-frame.tsx';
import { QueryBoundary, useLastError, type QueryBoundaryProps } from './query-boundary.tsx';

export interface LoadedScreenProps<T> extends Omit<ScreenFrameProps, 'children'>, QueryBoundaryProps<T> {
  readonly missing: {
    readonly title: string;
    readonly why: string;
    /** The screen before, unless another helps more. */
    readonly wayOn?: NonNullable<ScreenFrameProps['back']>;
  };
  /** The statuses that say that it is not there. */
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

/** Goes to the part of the screen that the address names. As the browser looked for it, the part was not read yet. */
function HashTarget() {
  useEffect(() => {
    const target = document.getElementById(location.hash.slice(1));
    if (!target) return;
    target.tabIndex = -1;
    target.focus();
  }, []);
  return null;
}
