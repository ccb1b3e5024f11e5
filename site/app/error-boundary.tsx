/** Shows a fallback if its children fail to render, so that the screen around them stays. */
import { Component, type ReactNode } from 'react';

interface ErrorBoundaryProps {
  readonly fallback: ReactNode;
  readonly onError?: () => void;
  /** When it changes, the children are rendered again. */
  readonly resetKey?: unknown;
  readonly children: ReactNode;
}

export class ErrorBoundary extends Component<ErrorBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override componentDidCatch(): void {
    this.props.onError?.();
  }

  override componentDidUpdate(before: ErrorBoundaryProps): void {
    if (this.state.hasFailed && before.resetKey !== this.props.resetKey) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? this.props.fallback : this.props.children;
  }
}
