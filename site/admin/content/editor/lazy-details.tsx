/** Collapsed content that is rendered when it is first expanded, because it takes time or loads something. */
import { useState, type ReactNode } from 'react';
import { classNames } from '#site/ui/class-names.ts';
import summaryCss from '#site/ui/summary.module.css';

export function LazyDetails({
  summary,
  isSmall = false,
  isOpen = false,
  className,
  children,
}: {
  readonly summary: ReactNode;
  readonly isSmall?: boolean;
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
      <summary className={classNames(summaryCss['summary'], isSmall && summaryCss['small'])}>
        {summary}
      </summary>
      {(wasOpened || isOpen) && children}
    </details>
  );
}
