/** Collapsed content that is rendered when it is first expanded, because comparing long texts takes time. */
import { useState, type ReactNode } from 'react';
import summaryCss from '#site/ui/summary.module.css';

export function LazyDetails({
  summary,
  isOpen = false,
  className,
  children,
}: {
  readonly summary: ReactNode;
  readonly isOpen?: boolean;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}) {
  const [wasOpened, setWasOpened] = useState(isOpen);
  return (
    <details
      open={isOpen}
      className={className}
      onToggle={({ currentTarget }) => setWasOpened((opened) => opened || currentTarget.open)}
    >
      <summary className={summaryCss['summary']}>{summary}</summary>
      {wasOpened && children}
    </details>
  );
}
