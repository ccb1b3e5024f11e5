/** The registry: every section of the site. The sections of a page are in the order in which a visitor sees them. */
import type { Row, Section } from '../section.ts';
import { afterTheSale } from './after-the-sale.ts';
import { articles } from './articles.ts';
import { behindTheScenes } from './behind-the-scenes.ts';
import { contactPage } from './contact-page.ts';
import { everyPage } from './every-page.ts';
import { landing } from './landing.ts';
import { pricingPage } from './pricing-page.ts';
import { servicePage } from './service-page.ts';

export const sections = {
  ...landing,
  ...servicePage,
  ...pricingPage,
  ...articles,
  ...contactPage,
  ...everyPage,
  ...afterTheSale,
  ...behindTheScenes,
} as const satisfies Record<string, Section>;

export type Sections = typeof sections;
export type SectionName = keyof Sections;

const namesOf = <S extends Partial<Sections>>(some: S) => Object.keys(some) as (keyof S & SectionName)[];

export const sectionNames: readonly SectionName[] = namesOf(sections);

/** The sections by the page that they belong to, in the terms that people look for. */
export const sectionGroups: readonly { readonly title: string; readonly names: readonly SectionName[] }[] = [
  { title: 'Landing page', names: namesOf(landing) },
  { title: 'Service page', names: namesOf(servicePage) },
  { title: 'Pricing page', names: namesOf(pricingPage) },
  { title: 'Articles', names: namesOf(articles) },
  { title: 'Contact page', names: namesOf(contactPage) },
  { title: 'Every page', names: namesOf(everyPage) },
  { title: 'Orders', names: namesOf(afterTheSale) },
  { title: 'Behind the scenes', names: namesOf(behindTheScenes) },
];

/** One section as plain data, for code that treats all sections alike. */
export const sectionNamed = (name: SectionName): Section => sections[name];

export type RecordOf<N extends SectionName> = Row<Sections[N]>;

/** All records by section, in display order. */
export type Content = { readonly [N in SectionName]: readonly RecordOf<N>[] };

export type PublicSectionName = {
  [N in SectionName]: Sections[N] extends { readonly shown: false } ? never : N;
}[SectionName];

export const isShown = (name: SectionName): name is PublicSectionName => sectionNamed(name).shown !== false;

/** The part of the content that public pages render. */
export type PublicContent = Pick<Content, PublicSectionName>;

/** The record of a singleton; undefined if there is none. */
export const only = <T>(records: readonly T[]): T | undefined => records[0];
