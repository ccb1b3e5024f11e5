/** A part of a screen that loads when it is first shown. If it cannot load, the rest stays with its typed text. */
import { lazy, Suspense, type ComponentType, type ReactNode } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { ReloadButton } from '../ui/reload-button.tsx';
import { ErrorBoundary } from './error-boundary.tsx';

/** Offers to reload. Until then, a browser does not try again to load the file of a failed `import()`. */
export const NotLoaded = ({ onClose }: { readonly onClose?: (() => void) | undefined }) => (
  <Alert
    title="This part could not be loaded"
    action={
      <>
        <ReloadButton />
        {onClose && (
          <Button variant="quiet" size="small" onClick={onClose}>
            Close
          </Button>
        )}
      </>
    }
  >
    Check your connection, then reload the page.
  </Alert>
);

/**
 * A component that loads when it is first shown, with its own error boundary.
 * @param fallback shown until it is loaded
 * @param closeOf the function that closes it, because its own controls are missing if it cannot load
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
  fallback?: ReactNode,
  closeOf?: (props: P) => () => void,
): ComponentType<P> {
  const Loaded = lazy<ComponentType<P>>(load);
  return function Part(props: P) {
    return (
      <ErrorBoundary fallback={<NotLoaded onClose={closeOf?.(props)} />}>
        <Suspense fallback={fallback}>
          <Loaded {...props} />
        </Suspense>
      </ErrorBoundary>
    );
  };
}
