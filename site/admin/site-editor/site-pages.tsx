/** The pages of the site in the editor, built from the same components as the public pages. */
import { lazy, type ComponentType } from 'react';
import {
  isShown,
  sectionNamed,
  sectionNames,
  type PublicSectionName,
  type SectionName,
} from '#contract/sections/index.ts';
import { Contact } from '#site/sections/contact.tsx';
import { contactParts } from '#site/sections/every-page/contact-parts.ts';
import * as footer from '#site/sections/every-page/footer.tsx';
import * as navbar from '#site/sections/every-page/navbar.tsx';
import { landingParts } from '#site/sections/landing/parts.ts';
import { pricingParts } from '#site/sections/pricing-page/parts.ts';
import type { SectionFile, SectionProps } from '#site/sections/section-props.ts';
import { serviceParts } from '#site/sections/service-page/parts.ts';

/** What the preview in the middle of the editor can show. */
export interface PreviewTarget {
  readonly title: string;
  /** From top to bottom. */
  readonly parts: readonly SectionFile[];
  /** A section that is on none of the pages, shown alone. */
  readonly alone?: PublicSectionName;
}

/** The form does nothing in the preview, so the HTML of the page is enough. */
function putContactForm(place: HTMLDivElement | null): void {
  const template = place?.ownerDocument.querySelector<HTMLTemplateElement>('template#contact-form');
  if (template) place?.replaceChildren(template.content.cloneNode(true));
}

const contact: SectionFile = {
  shows: [],
  default: ({ content }) => (
    <Contact content={content}>
      <div ref={putContactForm} />
    </Contact>
  ),
};

const framed = (title: string, parts: readonly SectionFile[]): PreviewTarget => ({
  title,
  parts: [navbar, ...parts, footer],
});

const landingPage = framed('Landing page', [...landingParts, contact]);

const pages: readonly PreviewTarget[] = [
  landingPage,
  framed('Service page', serviceParts),
  framed('Pricing page', pricingParts),
  framed('Contact page', [...contactParts, contact]),
];

const Article = lazy(() => import('#site/sections/articles/article.tsx'));
const ArticleList = lazy(() => import('#site/sections/articles/article-list.tsx'));

/** The page of the article whose form is open. Without an open form, the preview shows the list. */
export const articlePage: PreviewTarget = {
  ...framed(sectionNamed('article').title, [{ shows: ['article'], default: Article }]),
  alone: 'article',
};

/** Sections on none of the pages. They are loaded on demand, because some need large modules such as Markdown. */
const aloneParts: Readonly<Partial<Record<SectionName, ComponentType<SectionProps>>>> = {
  article: ArticleList,
  articlesText: ArticleList,
  legalPage: lazy(() => import('#site/sections/every-page/legal-pages.tsx')),
  searchText: lazy(() => import('#site/sections/every-page/search-snippet.tsx')),
  media: lazy(() => import('#site/sections/every-page/media.tsx')),
  redirect: lazy(() => import('#site/sections/every-page/redirects.tsx')),
};

const shows = ({ parts }: PreviewTarget, name: SectionName): boolean =>
  parts.some((part) => part.shows.some((shown) => shown === name));

/** Sections whose records are pages. Others appear as search results, in the library, or not at all. */
const pagesAlone: readonly SectionName[] = ['legalPage', 'article', 'articlesText'];

/**
 * Where a section is visible: on the current page, otherwise on the first page with it, otherwise alone.
 * @returns undefined for a section that visitors do not see
 */
export function findPreview(
  name: SectionName,
  current: PreviewTarget | undefined,
): PreviewTarget | undefined {
  const page = [...(current ? [current] : []), ...pages].find((one) => shows(one, name));
  if (page) return page;
  const alone = aloneParts[name];
  if (!alone || !isShown(name)) return undefined;
  const part = { shows: [name], default: alone };
  const { title } = sectionNamed(name);
  return { ...(pagesAlone.includes(name) ? framed(title, [part]) : { title, parts: [part] }), alone: name };
}

/** An entry of the tree with its sections. */
export interface Branch {
  readonly title: string;
  /** Undefined if the entry is not a page. */
  readonly page?: PreviewTarget;
  /** Whether its sections are on pages, so that each has a picture. */
  readonly isOnPages: boolean;
  readonly sections: readonly SectionName[];
}

const frameSections: readonly SectionName[] = [...navbar.shows, ...footer.shows];

const isOnPage = (name: SectionName) => pages.some((page) => shows(page, name));

/** Every section of the site. The sections of a page are in the page's order. */
export const branches: readonly Branch[] = [
  ...pages.map((page): Branch => ({
    title: page.title,
    page,
    isOnPages: true,
    sections: [...new Set(page.parts.flatMap((part) => part.shows))].filter(
      (name) => !frameSections.includes(name),
    ),
  })),
  { title: 'Header and footer', isOnPages: true, sections: frameSections },
  {
    title: 'Other content',
    isOnPages: false,
    sections: sectionNames.filter((name) => !isOnPage(name)),
  },
];
