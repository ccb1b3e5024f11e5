/**
 * If a section cannot render the typed values, only the preview fails, not the form. The next change tries
 * again.
 */
import { Component, type ReactNode } from 'react';

interface PageBoundaryProps {
  readonly children: ReactNode;
}

export class PageBoundary extends Component<PageBoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override componentDidUpdate(before: PageBoundaryProps): void {
    if (this.state.hasFailed && before.children !== this.props.children) this.setState({ hasFailed: false });
  }

  override render(): ReactNode {
    return this.state.hasFailed ? (
      <p className="wrap">The page cannot be shown with the current values of the form.</p>
    ) : (
      this.props.children
    );
  }
}
