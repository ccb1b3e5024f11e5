/** A part of a screen that is loaded when it is wanted. When it cannot be, the screen around it stays, with what is typed there. */
import { Component, lazy, Suspense, useState, type ComponentType, type ReactNode } from 'react';
import { Alert } from '#site/ui/alert.tsx';
import { Button } from '#site/ui/button.tsx';
import { ReloadButton } from '../ui/reload-button.tsx';

interface PartBoundaryProps {
  readonly onRetry: () => void;
  readonly onClose: (() => void) | undefined;
  readonly children: ReactNode;
}

class PartBoundary extends Component<PartBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override render(): ReactNode {
    const { children, onRetry, onClose } = this.props;
    if (!this.state.hasFailed) return children;
    return (
      <Alert
        title="This part could not be loaded"
        action={
          <>
            <Button variant="secondary" size="small" onClick={onRetry}>
              Try again
            </Button>
            <ReloadButton />
            {onClose && (
              <Button variant="quiet" size="small" onClick={onClose}>
                Close
              </Button>
            )}
          </>
        }
      >
        Please check your connection and try again. If it still does not load, reload the page.
      </Alert>
    );
  }
}

/**
 * A component that is loaded when it is first shown, with a boundary of its own.
 * @param fallback shown until it is there
 * @param closeOf what closes it, where it is not shown then
 */
export function lazyPart<P extends object>(
  load: () => Promise<{ readonly default: ComponentType<P> }>,
  fallback?: ReactNode,
  closeOf?: (props: P) => () => void,
): ComponentType<P> {
  // React remembers a failed load, so another try is another component.
  const begin = () => lazy<ComponentType<P>>(load);
  let latest = begin();
  return function Part(props: P) {
    const [Shown, setShown] = useState(() => latest);
    const [tries, setTries] = useState(0);
    const retry = () => {
      latest = begin();
      setShown(() => latest);
      setTries(tries + 1);
    };
    return (
      <PartBoundary key={tries} onRetry={retry} onClose={closeOf?.(props)}>
        <Suspense fallback={fallback}>
          <Shown {...props} />
        </Suspense>
      </PartBoundary>
    );
  };
}
