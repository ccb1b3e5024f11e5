/** The head of an inner page: where one is, and its one `h1`. */
import { linkTo } from '#contract/screens.ts';
import type { SectionFile } from './section-props.ts';
import css from './page-heading.module.css';

export interface PageHeadingProps {
  readonly title: string;
  /** A sentence below it. */
  readonly text?: string | undefined;
}

export function PageHeading({ title, text }: PageHeadingProps) {
  return (
    <div className={css['head']}>
      <div className={`wrap ${css['words'] ?? ''}`}>
        <nav aria-label={`Breadcrumb: ${title}`}>
          <ol className={css['crumbs']}>
            <li>
              <a href={linkTo('home')}>Home</a>
            </li>
            <li aria-current="page">{title}</li>
          </ol>
        </nav>
        <h1 className={css['title']}>{title}</h1>
        {text && <p className={css['text']}>{text}</p>}
      </div>
    </div>
  );
}

/** The heading as a part of a page. */
export const headingPart = (title: string): SectionFile => ({
  shows: [],
  default: () => <PageHeading title={title} />,
});
