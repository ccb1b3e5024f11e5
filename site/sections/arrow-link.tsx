/** A link from a section to the page with the details. */
import { ArrowRight } from 'lucide-react';
import { classNames } from '../ui/class-names.ts';
import { safeHref } from '../ui/safe-link.tsx';
import css from './arrow-link.module.css';

interface ArrowLinkProps {
  readonly href: string | undefined;
  readonly text: string | undefined;
}

/** Renders nothing without a text, or if the URL is not allowed. */
export function ArrowLink({ href, text }: ArrowLinkProps) {
  const safe = safeHref(href);
  if (safe === undefined || !text) return null;
  return (
    <a href={safe} className={classNames('target', css['link'])}>
      {text}
      <ArrowRight size="1.25rem" />
    </a>
  );
}
