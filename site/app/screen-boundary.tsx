/**
 * Catches the error of a screen that cannot be shown, because a deployment has removed its file, or a response has
 * an unexpected format. The shell then offers to reload (layouts/Outdated.astro).
 */
import type { ReactNode } from 'react';
import '../ui/translated-page.ts';
import { ErrorBoundary } from './error-boundary.tsx';

export const ScreenBoundary = ({ children }: { readonly children: ReactNode }) => (
  <ErrorBoundary fallback={null} onError={() => dispatchEvent(new Event('screen-failed'))}>
    {children}
  </ErrorBoundary>
);
