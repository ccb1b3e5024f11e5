/** `Button` performs an action, and `LinkButton` links somewhere. They look the same. */
import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import css from './button.module.css';

interface ButtonLook {
  /** `primary` at most once per view; `onDeep` is the primary button on the inverse surface. */
  readonly variant?: 'primary' | 'secondary' | 'quiet' | 'danger' | 'onDeep';
  readonly size?: 'small' | undefined;
  readonly icon?: ReactNode;
}

export interface ButtonProps extends ButtonLook, ComponentProps<'button'> {
  /** Whether the action is running. The button then shows a spinner and ignores presses, but keeps the focus. */
  readonly busy?: boolean;
}

/** A button whose `type` is `button` by default. With `aria-disabled` it ignores presses and keeps the focus. */
export function Button({
  variant = 'primary',
  size,
  icon,
  busy = false,
  type = 'button',
  className,
  children,
  onClick,
  'aria-disabled': isRefusing,
  ...rest
}: ButtonProps) {
  const refuses = busy || isRefusing === true || isRefusing === 'true';
  return (
    <button
      {...rest}
      type={type}
      className={classNames(css['button'], className)}
      data-variant={variant}
      data-size={size}
      aria-disabled={refuses || undefined}
      aria-busy={busy || undefined}
      onClick={
        refuses
          ? (event) => {
              event.preventDefault();
            }
          : onClick
      }
    >
      {busy ? <span className={css['spinner']} aria-hidden="true" /> : icon}
      {children}
    </button>
  );
}

export function LinkButton({
  variant = 'primary',
  size,
  icon,
  className,
  children,
  ...rest
}: ButtonLook & ComponentProps<'a'>) {
  return (
    <a {...rest} className={classNames(css['button'], className)} data-variant={variant} data-size={size}>
      {icon}
      {children}
    </a>
  );
}
