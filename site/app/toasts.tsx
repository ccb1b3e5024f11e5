/** Shows toasts from any function. The island renders `Toasts` once, after its screen. */
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
let nextLink: ToastLink | undefined;

const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

/**
 * Shows a toast: `showToast('Banner is Updated')`, `showToast('The record could not be saved.', 'danger')`.
 * @returns a function that removes it
 */
export function showToast(
  text: string,
  tone: ToastTone = 'success',
  action: ToastLink | ToastButton | undefined = nextLink,
): () => void {
  nextLink = undefined;
  const id = nextId++;
  // If the same text is shown again, it replaces its toast and is announced again.
  toasts.set([...toasts.get().filter((toast) => toast.text !== text), { id, text, tone, action }]);
  return () => dismiss(id);
}

/** Adds a link to the next toast, unless that toast has an action of its own. */
export function linkNextToast(link: ToastLink | undefined): void {
  nextLink = link;
}

export const Toasts = () => <ToastRegion toasts={toasts.useValue()} onDismiss={dismiss} />;
