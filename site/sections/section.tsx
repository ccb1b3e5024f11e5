/** A section of the page: its vertical room, its tone and the page's column. */
import type { ReactNode } from 'react';
import css from './section.module.css';

export interface PageSectionProps {
  /** Where links such as `/#pricing-sec` lead. */
  readonly id?: string;
  /** `mint`: the accent itself, for the one thing that a page asks for. */
  readonly tone?: 'paper' | 'sunken' | 'deep' | 'mint';
  /** `slim` for a band of a line or two. */
  readonly room?: 'full' | 'slim';
  /** `split`: a narrow first and a wide second column; `halves`: two equal ones. Stacked on small windows. */
  readonly layout?: 'stack' | 'split' | 'halves';
  /** Names the region where the section has no heading of its own. */
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
