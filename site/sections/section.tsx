/** A section of the page: its spacing, its tone, and the page's column. */
import type { ReactNode } from 'react';
import css from './section.module.css';

interface PageSectionProps {
  /** The target of links such as `/#pricing-sec`. */
  readonly id?: string;
  /** `mint`: the accent color, for the page's main call to action. */
  readonly tone?: 'paper' | 'sunken' | 'deep' | 'mint';
  /** `slim`: for a section of one or two lines. */
  readonly room?: 'full' | 'slim';
  /** `split`: a narrow first column and a wide second one. `halves`: equal columns. Stacked on small windows. */
  readonly layout?: 'stack' | 'split' | 'halves';
  /** The name of the region if the section has no heading. */
  readonly label?: string;
  readonly children: ReactNode;
}

export function Section({
  id,
  tone = 'paper',
  room = 'full',
  layout = 'stack',
  label,
  children,
}: PageSectionProps) {
  return (
    <section id={id} className={css['band']} data-tone={tone} data-room={room} aria-label={label}>
      <div className={`wrap ${css['inner'] ?? ''}`} data-layout={layout}>
        {children}
      </div>
    </section>
  );
}
