/** A link that leads from a band on to the page that says more. */
import { ArrowRight } from 'lucide-react';
import { safeHref } from '../ui/safe-link.tsx';
import css from './arrow-link.module.css';

export interface ArrowLinkProps {
  readonly href: string | undefined;
  readonly text: string | undefined;
}

/** Nothing without a text, or where the address is refused. */
export function ArrowLink({ href, text }: ArrowLinkProps) {
  const safe = safeHref(href);
  if (safe === undefined || !text) return null;
  return (
    <a href={safe} className={css['link']}>
      {text}
      <ArrowRight size="1.25rem" aria-hidden="true" />
    </a>
  );
}
