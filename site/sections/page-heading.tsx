/** The top of an inner page: the breadcrumbs, and the page's only `h1`. */
import { linkTo } from '#contract/screens.ts';
import { classNames } from '#site/ui/class-names.ts';
import type { SectionFile } from './section-props.ts';
import css from './page-heading.module.css';

export interface Crumb {
  readonly name: string;
  readonly href: string;
}

interface PageHeadingProps {
  readonly title: string;
  /** A sentence below the title. */
  readonly text?: string | undefined;
  /** The breadcrumbs, ending with the page itself; by default only the page. */
  readonly crumbs?: readonly Crumb[] | undefined;
  /** Whether the title is a sentence, which is set in a smaller size. */
  readonly isLong?: boolean;
}

export function PageHeading({ title, text, crumbs = [], isLong }: PageHeadingProps) {
  return (
    <div className={css['head']}>
      <div className={`wrap ${css['words'] ?? ''}`}>
        <nav aria-label={`Breadcrumb: ${title}`}>
          <ol className={classNames('targets', css['crumbs'])}>
            <li>
              <a href={linkTo('home')}>Home</a>
            </li>
            {crumbs.slice(0, -1).map(({ name, href }) => (
              <li key={href}>
                <a href={href}>{name}</a>
              </li>
            ))}
            <li aria-current="page">{crumbs.at(-1)?.name ?? title}</li>
          </ol>
        </nav>
        <h1 className={css['title']} data-long={isLong || undefined}>
          {title}
        </h1>
        {text && <p className={css['text']}>{text}</p>}
      </div>
    </div>
  );
}

/** The heading as a section of a page. */
export const headingPart = (title: string): SectionFile => ({
  shows: [],
  default: () => <PageHeading title={title} />,
});
