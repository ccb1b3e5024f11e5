/** A standalone link, in a cell or next to a title. It looks like text and is as easy to press as a button. */
import type { ComponentProps } from 'react';
import { target } from './layout.ts';
import css from './text-link.module.css';

export function TextLink({ children, ...rest }: Omit<ComponentProps<'a'>, 'className'>) {
  return (
    <a className={target(css['link'])} {...rest}>
      {children}
    </a>
  );
}
