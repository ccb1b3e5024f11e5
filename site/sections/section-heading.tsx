/** The heading of a section: a small line, the title, and an introduction. Blank parts are omitted. */
import css from './section-heading.module.css';

export interface SectionHeadingProps {
  readonly eyebrow?: string | undefined;
  readonly title: string | undefined;
  readonly text?: string | undefined;
  readonly level?: 1 | 2;
}

export function SectionHeading({ eyebrow, title, text, level = 2 }: SectionHeadingProps) {
  const Heading = `h${level}` as const;
  if (!eyebrow && !title && !text) return null;
  return (
    <div className={css['heading']}>
      {eyebrow && <p className={css['eyebrow']}>{eyebrow}</p>}
      {title && <Heading className={css['title']}>{title}</Heading>}
      {text && <p className={css['text']}>{text}</p>}
    </div>
  );
}
