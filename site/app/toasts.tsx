/** Shows toasts from any function. The island renders `Toasts` once, after its screen. */
import { useEffect } from 'react';
import {
  ToastRegion,
  type Toast,
  type ToastButton,
  type ToastLink,
  type ToastTone,
} from '#site/ui/toast.tsx';
import { makeStore } from './store.ts';

const toasts = makeStore<readonly Toast[]>([]);
let nextId = 0;

const withoutSuccesses = (shown: readonly Toast[]) => shown.filter(({ tone }) => tone !== 'success');

/** If the same text is shown again, it replaces its toast and is announced again. A failure replaces earlier successes. */
export const withToast = (shown: readonly Toast[], toast: Toast): readonly Toast[] => [
  ...(toast.tone === 'danger' ? withoutSuccesses(shown) : shown).filter(({ text }) => text !== toast.text),
  toast,
];

const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/**
 * Shows a toast: `showToast('Banner is Updated')`, `showToast('The record could not be saved.', 'danger')`.
 * @returns a function that removes it
 */
export function showToast(
  text: string,
  tone: ToastTone = 'success',
  action?: ToastLink | ToastButton,
): () => void {
  const id = nextId++;
  toasts.set(withToast(toasts.get(), { id, text, tone, action }));
  return () => dismiss(id);
}

export function Toasts() {
  // A form shows its failure itself, which would contradict the success of an earlier action.
  useEffect(() => {
    const clear = () => toasts.set(withoutSuccesses(toasts.get()));
    document.addEventListener('submit', clear);
    return () => document.removeEventListener('submit', clear);
  }, []);
  return <ToastRegion toasts={toasts.useValue()} onDismiss={dismiss} />;
}
