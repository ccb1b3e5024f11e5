/** A surface for one subject. With `href`, the title is a link and the whole card is clickable. */
import type { ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { columns, row, stack, surface } from './layout.ts';
import wholeLink from './whole-link.module.css';
import css from './card.module.css';

export interface CardProps {
  readonly title?: ReactNode;
  readonly href?: string;
  readonly icon?: ReactNode;
  /** Small text or a control at the end of the title's line. */
  readonly aside?: ReactNode;
  readonly headingLevel?: 2 | 3 | 4;
  /** `deep` for the most important number of a screen. */
  readonly tone?: 'deep' | undefined;
  readonly className?: string;
  readonly children?: ReactNode;
}

export function Card({ title, href, icon, aside, headingLevel = 2, tone, className, children }: CardProps) {
  const Heading = `h${headingLevel}` as const;
  return (
    <section
      className={stack(3, surface(css['card'], className))}
      data-tone={tone}
      data-pressable={href === undefined ? undefined : ''}
    >
      {(title !== undefined || icon !== undefined || aside !== undefined) && (
        <header className={row(3, css['head'])}>
          {icon !== undefined && <span className={css['icon']}>{icon}</span>}
          {title !== undefined && (
            <Heading className={classNames('heading', wholeLink['title'], css['title'])}>
              {href === undefined ? title : <a href={href}>{title}</a>}
            </Heading>
          )}
          {aside !== undefined && <div className={css['aside']}>{aside}</div>}
        </header>
      )}
      {children}
    </section>
  );
}

export function CardGrid({ children }: { readonly children: ReactNode }) {
  return <div className={columns(4, css['grid'])}>{children}</div>;
}
