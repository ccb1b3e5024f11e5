/** The heading of a section: a small line, the title, and an introduction. Empty parts are omitted. */
import css from './section-heading.module.css';

interface SectionHeadingProps {
  readonly eyebrow?: string | undefined;
  readonly title: string | undefined;
  readonly text?: string | undefined;
}

export function SectionHeading({ eyebrow, title, text }: SectionHeadingProps) {
  if (!eyebrow && !title && !text) return null;
  return (
    <div className={css['heading']}>
      {eyebrow && <p className={css['eyebrow']}>{eyebrow}</p>}
      {title && <h2 className={css['title']}>{title}</h2>}
      {text && <p className={css['text']}>{text}</p>}
    </div>
  );
}
