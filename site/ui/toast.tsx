/** Toasts: short messages with `role="alert"` in the corner, about an action that has just succeeded or failed. */
import { useEffect, useRef, type RefObject } from 'react';
import { X } from 'lucide-react';
import { Button } from './button.tsx';
import { useAttended } from './use-attended.ts';
import css from './toast.module.css';

export type ToastTone = 'success' | 'danger';
/** A link to the subject of a toast. It opens in a new tab. */
export interface ToastLink {
  readonly href: string;
  readonly label: string;
}
export interface ToastButton {
  readonly label: string;
  readonly onPress: () => void;
}

export interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: ToastTone;
  readonly action?: ToastLink | ToastButton | undefined;
}

/** How long a toast stays without a pointer on it or focus in it, in ms. A failure stays until it is dismissed. */
const toastDurationMs = 6_000;

/** Moves the corner to the top of the window while it would cover the focused element. */
function useClearance(corner: RefObject<HTMLDivElement | null>, isShowing: boolean): void {
  useEffect(() => {
    const region = corner.current;
    if (!isShowing || !region) return undefined;
    function clear() {
      const focused = document.activeElement;
      if (!region || !focused || focused === document.body || region.contains(focused)) return;
      region.removeAttribute('data-top');
      const [theirs, ours] = [focused.getBoundingClientRect(), region.getBoundingClientRect()];
      const isBeneath = theirs.bottom > ours.top && theirs.top < ours.bottom && theirs.right > ours.left;
      region.toggleAttribute('data-top', isBeneath);
    }
    clear();
    document.addEventListener('focusin', clear);
    return () => document.removeEventListener('focusin', clear);
  }, [corner, isShowing]);
}

interface ToastRegionProps {
  readonly toasts: readonly Toast[];
  readonly onDismiss?: (id: number) => void;
}

export function ToastRegion({ toasts, onDismiss }: ToastRegionProps) {
  const corner = useRef<HTMLDivElement>(null);
  useClearance(corner, toasts.length > 0);
  return (
    <div
      ref={corner}
      className={css['region']}
      {...(toasts.length > 0 && { role: 'region', 'aria-label': 'Notifications' })}
    >
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} {...(onDismiss && { onDismiss })} />
      ))}
    </div>
  );
}

interface ToastCardProps {
  readonly toast: Toast;
  readonly onDismiss?: (id: number) => void;
}

function ToastCard({ toast: { id, text, tone, action }, onDismiss }: ToastCardProps) {
  const { isAttended, watch } = useAttended();
  const isLeaving = onDismiss !== undefined && tone === 'success' && !isAttended;

  useEffect(() => {
    if (!isLeaving) return undefined;
    const timer = setTimeout(() => onDismiss(id), toastDurationMs);
    return () => clearTimeout(timer);
  }, [isLeaving, onDismiss, id]);

  return (
    <div role="presentation" className={css['toast']} data-tone={tone} {...watch}>
      <div role="alert">{text}</div>
      {action && <ToastAction action={action} />}
      {onDismiss && (
        <button type="button" className={css['dismiss']} aria-label="Dismiss" onClick={() => onDismiss(id)}>
          <X size="1.125rem" />
        </button>
      )}
    </div>
  );
}

const ToastAction = ({ action }: { readonly action: ToastLink | ToastButton }) =>
  'href' in action ? (
    <a className={css['link']} href={action.href} target="_blank">
      {action.label}
      <span className="visually-hidden"> (new tab)</span>
    </a>
  ) : (
    <Button variant="secondary" size="small" onClick={action.onPress}>
      {action.label}
    </Button>
  );
