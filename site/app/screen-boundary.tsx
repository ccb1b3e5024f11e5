/**
 * Catches the error of a screen that cannot be shown, because a deployment has removed its file or a response
 * is not what it expects. The shell then offers to reload (layouts/Outdated.astro).
 */
import { Component, type ReactNode } from 'react';
import '../ui/translated-page.ts';

export class ScreenBoundary extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError = () => ({ hasFailed: true });

  override componentDidCatch(): void {
    dispatchEvent(new Event('screen-failed'));
  }

  override render(): ReactNode {
    return this.state.hasFailed ? null : this.props.children;
  }
}
